import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "../../api/session";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Pricing from "./Pricing";

beforeEach(() => {
  answers("get", "/api/rates", { rates: [], total: 0, version: "" });
  answers("get", "/api/get-voice-unit-price", { "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": [] });
  answers("get", "/api/get-own-price", { "OWN-UNIT-PRICE": [] });
  answers("get", "/api/get-virtual-price", { "VIRTUAL-UNIT-PRICE": [] });
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

test("a pulse has its price by the number that calls come from, and none is shown that is not set", async () => {
  signedIn();
  answers("get", "/api/get-about-us", { "About-Us": [] });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [] });
  const naira = [{ value: 9 }];
  answers("get", "/api/get-voice-unit-price", { "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": naira });
  answers("get", "/api/get-own-price", { "OWN-UNIT-PRICE": [{ value: 0.2 }] });
  show(<Pricing />);
  const prices = await screen.findByRole("region", { name: "Price of a pulse" });
  expect(await within(prices).findByText("0.20000 ESPEES or ₦9.00000")).toBeVisible();
  expect(within(prices).getAllByText("₦9.00000")).toHaveLength(2);
});

test("a page has its price by destination where there are rates", async () => {
  signedIn();
  answers("get", "/api/get-about-us", { "About-Us": [] });
  answers("get", "/api/get-sms-unit-price", {
    "SMS-UNIT-PRICE": [{ value: 0.01 }],
    "SMS-UNIT-PRICE-IN-NAIRA": [{ value: 4.5 }],
    "SMS-ABROAD-UNIT-PRICE": [],
    "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [{ value: 45 }],
  });
  const rates = [
    { prefix: "234", network: "mtn", espees: null, naira: 4.2, updated_at: null },
    { prefix: "234", network: "mtn", purpose: "otp", espees: null, naira: 5, updated_at: null },
    { prefix: "44", network: null, espees: 0.08, naira: null, updated_at: null },
  ];
  answers("get", "/api/rates", { rates, total: 3, version: "v1" });
  show(<Pricing />);
  const table = await screen.findByRole("table", { name: "Price of a page by destination" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((it) => it.textContent)).toEqual([
    "Nigeria, MTN0.01000 ESPEES₦4.20000",
    "Codes0.01000 ESPEES₦5.00000",
    "+440.08000 ESPEES₦45.00000",
    "Elsewhere-₦45.00000",
  ]);
  expect(within(table).getByRole("cell", { name: "Nigeria, MTN: Codes" })).toBeVisible();
  expect(screen.getByText(/^Alerts and receipts come first/)).toBeVisible();
});
