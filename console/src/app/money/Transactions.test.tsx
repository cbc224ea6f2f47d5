import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { entry } from "../../testing/rows";
import { server } from "../../testing/server";
import Transactions from "./Transactions";

test("a history that ends before its oldest entry goes on there, and begins anew with another filter", async () => {
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
