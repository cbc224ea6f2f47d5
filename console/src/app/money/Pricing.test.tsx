import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { session } from "../../api/session";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Pricing from "./Pricing";

beforeEach(() => {
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
