import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import PaymentList from "./PaymentList";

test("a payment is shown with every decimal that was paid", async () => {
  const payment = {
    ...{ id: 1, created_at: "2026-11-21T08:00:00Z", user_id: 7, username: "ada", payment_ref: "ref-1" },
    ...{ provider: "espees", live: true, amount: 12.3456, currency: "espees", status: "successful" },
    ...{ status_details: "", settled_at: "2026-11-21T08:01:00Z" },
  };
  answers("get", "/admin/payments", { payments: [payment], total: 1 });
  showAdmin(<PaymentList />, "payments");
  expect(await screen.findByText("12.3456 ESPEES")).toBeVisible();
});
