import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { session } from "../../api/session";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Pricing from "./Pricing";

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

test("a page has its price from each balance, and is kept with the session", async () => {
  signedIn();
  const prices = { "SMS-UNIT-PRICE": [{ value: 0.01 }], "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }] };
  answers("get", "/api/get-about-us", { "About-Us": [] });
  answers("get", "/api/get-sms-unit-price", prices);
  show(<Pricing />);
  expect(await screen.findByText("₦4.50000")).toBeVisible();
  expect(screen.getByText("0.01000 ESPEES")).toBeVisible();
  expect(session.kept("prices")).toBe(JSON.stringify(prices));
});
