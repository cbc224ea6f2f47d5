import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { server } from "../../testing/server";
import Transactions from "./Transactions";

const row = (id: string, narration: string) => ({
  id,
  narration,
  kind: "credit",
  direction: "credit",
  price: 5,
  currency: "naira",
  payment_ref: `ref-${id}`,
  status: "successful",
  status_details: "",
  transaction_date: "2026-11-21T08:00:00Z",
  user_id: 7,
  username: "ada",
});

test("a history that ends before its oldest entry goes on there, and begins anew with another filter", async () => {
  signedIn();
  server.use(
    http.get("*/api/get-transaction-history", ({ request }) => {
      const query = new URL(request.url).searchParams;
      return HttpResponse.json(
        query.get("beyond") === "4711"
          ? { transactions: [row("2", "An older one")], total: 1, is_cut: false, beyond: null }
          : { transactions: [row("1", "A new one")], total: 100_000, is_cut: true, beyond: 4711 },
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
