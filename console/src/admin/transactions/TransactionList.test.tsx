import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { entry } from "../../testing/rows";
import { answers, server } from "../../testing/server";
import TransactionList from "./TransactionList";

test("a list that ends before its oldest entry goes on there, and starts again when it is ordered otherwise", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/admin/get-all-transactions", ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(`${query.get("beyond")} ${query.get("page")} ${query.get("sort")}`);
      return HttpResponse.json(
        query.get("beyond") === "4711"
          ? { Transactions: [entry("2", "An older one")], total: 1, is_cut: false, beyond: null }
          : { Transactions: [entry("1", "A new one")], total: 100_000, is_cut: true, beyond: 4711 },
      );
    }),
  );
  const { user } = showAdmin(<TransactionList />, "transactions");
  expect(await screen.findByText("A new one")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Page 5000" }));
  await user.click(await screen.findByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("An older one")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show older entries" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Back to the newest" }));
  expect(await screen.findByText("A new one")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("An older one")).toBeVisible();
  await user.click(screen.getByText("Amount"));
  expect(await screen.findByText("A new one")).toBeVisible();
  expect(asked.slice(0, 3)).toEqual(["null 1 null", "null 5000 null", "4711 1 null"]);
  expect(asked.at(-1)).toBe("null 1 price");
});

test("the money of one campaign is asked for by the campaign's number", async () => {
  const asked: string[] = [];
  server.use(
    http.get("*/admin/get-all-transactions", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({
        Transactions: [{ ...entry("1", "Campaign 12"), kind: "reserve", direction: "debit" }],
        total: 1,
        is_cut: false,
        beyond: null,
      });
    }),
  );
  const search = new URLSearchParams({ filter: JSON.stringify({ campaign_id: 12 }) }).toString();
  showAdmin(<TransactionList />, "transactions", `?${search}`);
  expect(await screen.findByLabelText("Campaign")).toHaveValue(12);
  expect(await screen.findByText("Reserved for a campaign")).toBeVisible();
  expect(asked).toEqual(["?page=1&per_page=20&campaign_id=12"]);
});

test("a movement is named first on a phone, with its amount beside it", async () => {
  const row = { ...entry("1", "Reserved for campaign 12"), kind: "reserve", campaign_id: 12 };
  answers("get", "/admin/get-all-transactions", {
    Transactions: [row],
    total: 1,
    is_cut: false,
    beyond: null,
  });
  showAdmin(<TransactionList />, "transactions");
  const cells = within(await screen.findByRole("row", { name: /#12/ })).getAllByRole("cell");
  expect(cells.map((it) => it.dataset.phone)).toEqual([
    ...["plain", "plain", "title", "plain", "figure", "hidden", "status"],
  ]);
  expect(screen.getByText("Successful").closest("[data-usual]")).not.toBeNull();
});
