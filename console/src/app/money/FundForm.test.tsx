import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import FundEspees from "./FundEspees";

test("ESPEES without a price are said to pay for nothing, before they are bought", async () => {
  signedIn();
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
  });
  answers("get", "/api/payments", { payments: [], total: 0 });
  show(<FundEspees />);
  expect(await screen.findByText(/No price in ESPEES is set/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Fund your Naira account" })).toHaveAttribute(
    "href",
    "/dashboard/fund-with-paystack",
  );
});
