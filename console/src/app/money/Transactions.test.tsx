import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { entry } from "../../testing/rows";
import { answers, problem, server } from "../../testing/server";
import Transactions from "./Transactions";

test("a history that ends before its oldest entry goes on there, and starts again with another filter", async () => {
  signedIn();
  server.use(
    http.get("*/api/get-transaction-history", ({ request }) => {
      const query = new URL(request.url).searchParams;
      return HttpResponse.json(
        query.get("beyond") === "4711"
          ? { transactions: [entry("2", "An older one")], total: 1, is_cut: false, beyond: null }
          : { transactions: [entry("1", "A new one")], total: 100_000, is_cut: true, beyond: 4711 },
      );
    }),
  );
  const { user, where } = show(<Transactions />, { at: "/dashboard/transaction-history?page=5000" });
  await user.click(await screen.findByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("An older one")).toBeVisible();
  expect(where()).toBe("/dashboard/transaction-history?beyond=4711");
  await user.click(screen.getByRole("button", { name: "Amount" }));
  expect(await screen.findByText("A new one")).toBeVisible();
  expect(where()).toBe("/dashboard/transaction-history?sort=price&order=desc");
});

test("the history of one campaign is asked for by its number, until everything is asked for again", async () => {
  signedIn();
  server.use(
    http.get("*/api/get-transaction-history", ({ request }) => {
      const campaign = new URL(request.url).searchParams.get("campaign_id");
      const rows = campaign === "7" ? [entry("1", "Campaign 7: a hello")] : [entry("2", "A card payment")];
      return HttpResponse.json({ transactions: rows, total: 1, is_cut: false, beyond: null });
    }),
  );
  const { user, where } = show(<Transactions />, { at: "/dashboard/transaction-history?campaign_id=7" });
  expect(await screen.findByText("Campaign 7: a hello")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Campaign 7 only/ }));
  expect(await screen.findByText("A card payment")).toBeVisible();
  expect(where()).toBe("/dashboard/transaction-history");
});

test("a history that cannot be had says so in the specification's words, and what to do", async () => {
  signedIn();
  answers("get", "/api/get-transaction-history", problem(500, "internal", "Try again in a moment"), 500);
  show(<Transactions />, { at: "/dashboard/transaction-history" });
  // In the place of the list, and as a toast.
  await waitFor(() => expect(screen.getAllByText("Failed to load transactions")).toHaveLength(2));
  expect(screen.getByText("Try again in a moment")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("on a phone a movement says its balance and its success in its details only", async () => {
  signedIn();
  const part = { status: "failed", price: 0.015, currency: "espees" };
  const rows = [entry("1", "A card payment"), { ...entry("2", "Another"), ...part }];
  answers("get", "/api/get-transaction-history", {
    transactions: rows,
    total: 2,
    is_cut: false,
    beyond: null,
  });
  show(<Transactions />, { at: "/dashboard/transaction-history" });
  const row = within(await screen.findByRole("row", { name: /A card payment/ }));
  const phone = row.getAllByRole("cell").map((it) => it.dataset.phone);
  expect(phone).toEqual(["plain", "title", "figure", "hidden", "status", "actions"]);
  expect(row.getByText("Successful").closest("[data-usual]")).not.toBeNull();
  const failed = within(screen.getByRole("row", { name: /Another/ }));
  expect(failed.getByText("Failed").closest("[data-usual]")).toBeNull();
  // What was moved is never cut.
  expect(failed.getByText("0.015 ESPEES")).toBeVisible();
});
