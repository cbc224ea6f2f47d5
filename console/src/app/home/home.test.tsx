import { screen, waitFor, within } from "@testing-library/react";
import { delay, http } from "msw";
import { expect, test } from "vitest";
import { own } from "../../api/queries";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { answers, problem, server } from "../../testing/server";
import { activityOf, isCut } from "./activity";
import { stepsOf } from "./FirstSteps";
import Home from "./Home";
import { pagesLeft } from "./LowBalance";

const NOON = Date.parse("2026-11-21T11:00:00Z");
const balances = (espees: number, naira: number) => ({
  "espees-balance": espees,
  espees_reserved: 0,
  paystack_balance: naira,
  paystack_reserved: 0,
});
const record = (value: number | null) =>
  value === null ? [] : [{ value, updated_at: "2026-11-01T08:00:00Z" }];
const prices = (espees: number | null, naira: number | null) => ({
  "SMS-UNIT-PRICE": record(espees),
  "SMS-UNIT-PRICE-IN-NAIRA": record(naira),
  "SMS-ABROAD-UNIT-PRICE": [],
  "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [],
});

test("a campaign counts on the day it started, however early it was confirmed, and what is cut off is told", () => {
  const now = Date.parse("2026-11-26T12:00:00Z");
  const early = campaignOf(
    { delivered: 7 },
    { created_at: "2026-10-01T09:00:00Z", started_at: "2026-11-20T09:00:00Z" },
  );
  const { days, messages } = activityOf([early], now);
  expect(messages).toBe(7);
  expect(days.find((it) => it.day === "2026-11-20")?.delivered).toBe(early.counts.delivered);
  const late = campaignOf({}, { created_at: "2026-11-20T09:00:00Z" });
  expect(isCut([late], 2, now)).toBe(true);
  expect(isCut([late], 1, now)).toBe(false);
  expect(isCut([late, early], 3, now)).toBe(false);
});

test("each campaign counts on the day it started, and sums are exact", () => {
  const money = { total_charges: 10, reserved: 0, released: 0, refunded: 0.1, captured: 0.3 };
  const { days, messages, ended, charged } = activityOf(
    [
      campaignOf({ delivered: 7, rejected: 1 }, { ...money, started_at: "2026-11-21T00:30:00Z" }),
      // Half past eleven in the evening of the 19th in London is the 20th in Lagos.
      campaignOf(
        { delivered: 2, undelivered: 2, cancelled: 5 },
        { ...money, started_at: "2026-11-19T23:30:00Z" },
      ),
      campaignOf(
        { queued: 3 },
        { ...money, captured: 0, refunded: 0, currency: "espees", status: "scheduled" },
      ),
      campaignOf({ delivered: 50 }, { ...money, started_at: "2026-11-01T10:00:00Z" }),
    ],
    NOON,
  );
  expect(days).toHaveLength(14);
  expect(days.at(0)?.day).toBe("2026-11-08");
  expect(days.at(-1)).toEqual({ day: "2026-11-21", delivered: 7, failed: 1 });
  expect(days.at(-2)).toEqual({ day: "2026-11-20", delivered: 2, failed: 2 });
  expect(messages).toBe(12);
  expect(ended).toEqual({ delivered: 9, undelivered: 2, rejected: 1, expired: 0 });
  expect(charged).toEqual([{ currency: "naira", value: "0.400000" }]);
});

test("how many pages a balance buys is reckoned in micro-units, of the better balance", () => {
  expect(pagesLeft(balances(0.3, 9), prices(0.1, 4.5))).toBe(3n);
  expect(pagesLeft(balances(0, 4.49), prices(0.1, 4.5))).toBe(0n);
  expect(pagesLeft(balances(5, 0), prices(null, 4.5))).toBe(0n);
  expect(pagesLeft(balances(5, 0), prices(null, null))).toBeNull();
  expect(pagesLeft(balances(0, 0), prices(null, 0))).toBeNull();
});

test("steps tick themselves off by what there is", () => {
  const done = (...args: Parameters<typeof stepsOf>) => stepsOf(...args).map((it) => it.done);
  const none = { senders: 0, contacts: 0 };
  expect(done({ email_verified: false }, balances(0, 0), none, false)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  const some = { senders: 1, contacts: 40 };
  expect(done({ email_verified: true }, balances(0, 0.5), some, false)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  // What was paid with is spent.
  expect(done({ email_verified: true }, balances(0, 0), none, true)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});

function about(campaigns: object[], naira = 1_000) {
  answers("get", "/api/get-campaign-history", { campaigns, total: campaigns.length });
  answers("get", "/api/get-espee-balance", balances(0, naira));
  answers("get", "/api/get-sms-unit-price", prices(null, 4.5));
  answers("get", "/api/get-last-sent-message", { last_sent_message_time: null });
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/contact", { contacts: [], total: 0 });
}

test("a new account sees what to do first, and no empty charts", async () => {
  about([], 0);
  signedIn();
  show(<Home />);
  const steps = await screen.findByRole("region", { name: "First steps" });
  expect(within(steps).getByText("1 of 5 done")).toBeVisible();
  expect(within(steps).getByRole("link", { name: "Add credit" })).toHaveAttribute(
    "href",
    "/dashboard/fund-with-paystack",
  );
  expect(within(steps).queryByRole("link", { name: /Verify/ })).toBeNull();
  expect(screen.queryByText("The last 14 days")).toBeNull();
  expect(screen.queryByText(/Your balance/)).toBeNull();
});

test("one who sends sees the last days, the last campaigns, and a word where the balance runs low", async () => {
  about(
    [
      campaignOf(
        { delivered: 9, rejected: 1 },
        {
          status: "completed",
          total_charges: 40.005,
          captured: 40.005,
          reserved: 0,
          msg: "Sale",
          created_at: new Date().toISOString(),
        },
      ),
    ],
    90,
  );
  answers("get", "/api/get-espee-balance", { ...balances(0, 90), paystack_reserved: 4.505 });
  signedIn();
  show(<Home />);
  expect(await screen.findByText("Your balance buys 20 more pages of text.")).toBeVisible();
  const last = await screen.findByRole("region", { name: "Last campaigns" });
  expect(within(last).getByRole("link", { name: "Sale" })).toHaveAttribute("href", "/dashboard/campaigns/12");
  expect(last).toHaveTextContent("9 of 10 messages delivered (90.0%)");
  expect(last).toHaveTextContent("₦40.005charged");
  expect(await screen.findByText("₦40.005", { selector: "dd *" })).toBeVisible();
  expect(await screen.findByText("₦4.505")).toBeVisible();
  expect(await screen.findByRole("region", { name: "Scheduled" })).toBeVisible();
});

test("who has sent is not asked for a sender ID, nor to import, and still to verify the address", async () => {
  const sent = campaignOf({ delivered: 9 }, { status: "completed", captured: 36, reserved: 0, msg: "Sale" });
  about([sent]);
  signedIn({ email_verified: false });
  const { unmount, client } = show(<Home />);
  const steps = await screen.findByRole("region", { name: "First steps" });
  expect(within(steps).getByRole("link", { name: /Verify/ })).toBeVisible();
  unmount();
  signedIn();
  // With all that the list is made of.
  show(<Home />, { client });
  await waitFor(() => expect(client.getQueryState(own("first-steps"))?.status).toBe("success"));
  expect(screen.getByRole("region", { name: "Last campaigns" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
});

test("campaigns that could not be read are said not to be, with a way to try again", async () => {
  about([]);
  answers("get", "/api/get-campaign-history", problem(500, "internal", "It broke"), 500);
  signedIn();
  const { user } = show(<Home />);
  expect(
    await screen.findByText("Your campaigns could not be loaded", {}, { timeout: 15_000 }),
  ).toBeVisible();
  about([campaignOf({ delivered: 9 }, { status: "completed", msg: "Sale" })]);
  let isAsked = false;
  server.use(
    http.get("*/api/get-campaign-history", async () => {
      isAsked = true;
      await delay(300);
    }),
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(isAsked).toBe(true));
  expect(screen.getByRole("button", { name: "Try again" })).toHaveFocus();
  const again = await screen.findByRole("region", { name: "Last campaigns" });
  expect(within(again).getByRole("link", { name: "Sale" })).toBeVisible();
  expect(screen.queryByText("Your campaigns could not be loaded")).toBeNull();
});
