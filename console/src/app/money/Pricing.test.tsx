import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Pricing from "./Pricing";

test("the write-up is shown, and nothing in it runs, even if the daemon let it through", async () => {
  signedIn();
  const value = `<h2>Prices</h2><p onclick="x()">Four Naira</p><script>window.broken = 1</script><form><input></form>`;
  answers("get", "/api/get-about-us", { "About-Us": [{ value, updated_at: "2026-11-01T00:00:00Z" }] });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [{ value: 0.0125, updated_at: "" }] });
  const { container } = show(<Pricing />);
  expect(await screen.findByText("Four Naira")).toBeVisible();
  expect(container.innerHTML).not.toMatch(/onclick|<script|<form|<input/);
  expect(await screen.findByText("0.01250 ESPEES")).toBeVisible();
});

test("while nothing is written it says where a price is seen", async () => {
  signedIn();
  answers("get", "/api/get-about-us", { "About-Us": [] });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [] });
  show(<Pricing />);
  expect(await screen.findByRole("link", { name: "Write a campaign" })).toHaveAttribute(
    "href",
    "/dashboard/compose-sms",
  );
});
