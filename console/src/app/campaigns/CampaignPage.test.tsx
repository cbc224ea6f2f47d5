import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { consequenceOf } from "../../design/campaign/CampaignControls";
import type { Campaign } from "../../design/campaign/outcomes";
import { announcement, progressText } from "../../design/campaign/Progress";
import { useShownPlace } from "../../design/place";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import CampaignPage from "./CampaignPage";

const unknown = { rate: null, remaining_s: null };

function open(campaign: Campaign) {
  signedIn();
  answers("get", "/api/campaigns/:id", { campaign });
  answers("get", "/api/quotes/:id", problem(404, "not_found", "No such quote"), 404);
  answers("get", "/api/campaigns/:id/messages", { messages: [], total: 0 });
  answers("get", "/api/campaigns/:id/breakdown", { bucket_s: 1, buckets: [], networks: [], reasons: [] });
  return show(<CampaignPage />, { at: "/dashboard/campaigns/12", path: "/dashboard/campaigns/:id" });
}

test("what a step will do is said in numbers", () => {
  const flying = campaignOf({ queued: 1_000, submitting: 1, delivered: 9 }, { reserved: 4_504.5 });
  expect(consequenceOf("pause", flying)).toEqual([
    "1,000 messages will wait until you resume; ₦4,504.50 stays reserved for this campaign.",
    "1 message is with the carrier already and will still go out.",
  ]);
  expect(consequenceOf("cancel", flying)[0]).toBe(
    "1,000 messages will not be sent, and up to ₦4,504.50, less 1 still unsettled, goes back to your wallet at once.",
  );
  const waiting = campaignOf({ queued: 2 }, { reserved: 9, currency: "espees" });
  expect(consequenceOf("cancel", waiting)[0]).toBe(
    "2 messages will not be sent, and 9.00 ESPEES goes back to your wallet at once.",
  );
  const scheduled = campaignOf({ queued: 2 }, { scheduled_at: "2026-11-22T09:00:00Z" });
  const before = Date.parse("2026-11-21T09:00:00Z");
  expect(consequenceOf("resume", scheduled, { now: before })[0]).toContain(
    "at 2026-11-22 10:00, as scheduled",
  );
  expect(consequenceOf("resume", scheduled, { now: before + 2 * 86_400_000 })[0]).toContain(
    "will go out now",
  );
});

test("the whole is said in a sentence", () => {
  expect(progressText(campaignOf({ queued: 30, delivered: 70 }), { rate: 12, remaining_s: 90 })).toBe(
    "70 of 100 messages handed to the carrier, about 12 a second, about 2 minutes left.",
  );
  const over = { status: "completed" };
  expect(progressText(campaignOf({ delivered: 2, submitted: 2 }, over), unknown)).toBe(
    "4 messages: nothing is left to send, and 2 receipts are awaited.",
  );
  expect(progressText(campaignOf({ delivered: 1 }, over), unknown)).toBe(
    "1 message: nothing is left to send and no receipt is awaited.",
  );
});

test("a campaign of calls belongs to the voice reports", async () => {
  const places: (string | null)[] = [];
  function Seen() {
    places.push(useShownPlace());
    return null;
  }
  const seen = show(<Seen />);
  const over = { status: "completed" };
  const page = open(campaignOf({ delivered: 2 }, { ...over, sms_type: "voice", senderid: "2348031234567" }));
  await screen.findByRole("heading", { name: "Campaign 12" });
  expect(places.at(-1)).toBe("/dashboard/voice-reports");
  page.unmount();
  expect(places.at(-1)).toBeNull();
  seen.unmount();
});

test("of a campaign of calls everything speaks of calls", async () => {
  const voice = { sms_type: "voice", senderid: "2348031234567" };
  const calls = campaignOf({ queued: 30, delivered: 70 }, voice);
  expect(progressText(calls, unknown)).toBe("70 of 100 calls placed.");
  expect(announcement(calls)).toBe("Campaign sending, 70% placed");
  expect(progressText(campaignOf({ delivered: 2 }, { ...voice, status: "completed" }), unknown)).toBe(
    "2 calls: none is left to make.",
  );
  expect(consequenceOf("cancel", campaignOf({ queued: 2 }, { ...voice, reserved: 9 }))[0]).toBe(
    "2 calls will not be made, and ₦9.00 goes back to your wallet at once.",
  );
  open(campaignOf({ delivered: 1, undelivered: 2 }, { ...voice, status: "completed" }));
  const details = { unit_price: 9, currency: "naira", pages: [1, 2], length_s: 65, pulses: 2 };
  answers("get", "/api/quotes/:id", { details });
  expect(await screen.findByRole("heading", { name: "Calls" })).toBeVisible();
  expect(screen.getByText("Calls come from").parentElement).toHaveTextContent("+234 803 123 4567");
  expect(await screen.findByText("Pulses a call, at most")).toBeVisible();
  expect(screen.getByText("Price of a pulse")).toBeVisible();
  expect(screen.getByRole("table", { name: "Calls by status" })).toHaveTextContent("Answered");
  expect(screen.getByRole("link", { name: "All calls" })).toHaveAttribute("href", "/dashboard/voice-reports");
  expect(document.body).not.toHaveTextContent(/\bmessages?\b|\bpages?\b|segment/i);
});

test("what people answered by key is a table with shares", async () => {
  const poll = [
    { key: "1", label: "Yes", count: 3, per_mille: 750 },
    { key: "9", label: "Opted out", count: 0, per_mille: 0 },
    { key: "none", label: "No key", count: 1, per_mille: 250 },
  ];
  open(campaignOf({ delivered: 4 }, { sms_type: "voice", status: "completed", poll }));
  const table = await screen.findByRole("table", { name: "Answers by key" });
  expect(within(table).getByRole("row", { name: /^Yes/ })).toHaveTextContent("Yes13 (75.0%)");
  expect(within(table).getByRole("row", { name: /^No key/ })).toHaveTextContent("No key-1 (25.0%)");
  expect(screen.getByText(/^The first valid key of each of 4 answered calls counts/)).toBeVisible();
});

test("calls that failed are called again at the most they can cost", async () => {
  const { user } = open(campaignOf({ undelivered: 2 }, { sms_type: "voice", status: "completed" }));
  const details = {
    quote_id: 6,
    total_contacts: 2,
    total_suppressed: 0,
    sms_type: "voice",
    route: "DEFAULT",
    sender_id: "WEBSMS",
    message: "Hello",
    pages: [2, 2],
    segments: [1, 1],
    length_s: 65,
    pulses: 2,
    unit_price: 9,
    total_charges: 36,
    currency: "naira",
    balance: 100,
    balance_after: 64,
    networks: { mtn: 2 },
    starts: [],
    expires_at: "2026-11-21T09:30:00Z",
  };
  answers("post", "/api/campaigns/:id/resend", { details, message: "Quote 6" });
  await user.click(await screen.findByRole("button", { name: "Resend failed" }));
  const dialog = await screen.findByRole("dialog", { name: "Make the failed calls again?" });
  expect(dialog).toHaveTextContent("2 calls of campaign 12 will be made again as a new campaign");
  for (const line of [
    "Calls come fromThe platform's number",
    "Pulses a call, at most2",
    "Price of a pulse₦9.00",
  ]) {
    expect(dialog).toHaveTextContent(line);
  }
  let form = "";
  answers(
    "post",
    "/api/voice-call",
    { details: { id: 13 }, message: "Voice SMS Sent" },
    200,
    async (request) => {
      form = await request.text();
    },
  );
  await user.click(within(dialog).getByRole("button", { name: "Yes, Proceed" }));
  expect(await screen.findByText("Voice SMS Sent")).toBeVisible();
  expect(form).toMatch(/quote_id\D*6/);
});

test("a screen reader is told each tenth, not each message", () => {
  const told = (queued: number) => announcement(campaignOf({ queued, delivered: 1_000 - queued }));
  expect(told(999)).toBe("Campaign sending, 0% handed to the carrier");
  expect(told(601)).toBe(told(700));
  expect(told(600)).toBe("Campaign sending, 40% handed to the carrier");
  expect(announcement(campaignOf({ queued: 3 }, { status: "paused" }))).toBe("Campaign paused");
});

test("a campaign is cancelled once it is confirmed, and the daemon's figures are told", async () => {
  const { user } = open(campaignOf({ queued: 2 }));
  await user.click(await screen.findByRole("button", { name: "Cancel campaign" }));
  let asked = 0;
  const after = campaignOf({ cancelled: 2 }, { status: "cancelled", reserved: 0, released: 8 });
  answers("post", "/api/campaigns/:id/cancel", { campaign: after, message: "Cancelled: 2" }, 200, () => {
    asked += 1;
    answers("get", "/api/campaigns/:id", { campaign: after });
  });
  const dialog = await screen.findByRole("dialog", { name: "Cancel this campaign?" });
  expect(asked).toBe(0);
  await user.click(within(dialog).getByRole("button", { name: "Yes, cancel it" }));
  expect(await screen.findByText("Cancelled: 2")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Cancel campaign" })).toBeNull());
  expect(asked).toBe(1);
});

test("a campaign that the administrator holds can be cancelled, not resumed", async () => {
  const held = { status: "paused", held: "first_send", status_reason: "It goes on by itself after that" };
  const first = open(campaignOf({ queued: 2 }, held));
  expect(await screen.findByRole("button", { name: "Cancel campaign" })).toBeVisible();
  expect(screen.getByText(/^Held: the first large send of an account/)).toBeVisible();
  expect(
    screen.getByText("Paused: 2 messages of 2 wait until an administrator resumes the campaign."),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
  expect(document.body).not.toHaveTextContent(/goes on by itself|until you resume/);
  first.unmount();
  open(campaignOf({ queued: 1 }, { status: "paused", held: "admin", status_reason: "Looks like spam" }));
  expect(await screen.findByText("Looks like spam")).toBeVisible();
  expect(screen.getByText(/^Paused: 1 message of 1 waits until an administrator resumes/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
});

const FAILED = {
  state: "failed",
  size: 50,
  delivered: 12,
  failed: 38,
  delivery: 80,
  needed: 40,
  wait_s: 600,
  until: null,
};

test("a campaign whose first recipients did not get it is resumed or cancelled by its owner", async () => {
  const stopped = campaignOf(
    { delivered: 12, undelivered: 38, queued: 950 },
    {
      status: "paused",
      held: "canary",
      status_reason: "The canary failed: 12 of 50 delivered, 40 needed",
      canary: FAILED,
    },
  );
  const { user } = open(stopped);
  const told =
    "Too few got through: 12 of the first 50 messages were delivered, and 40 were needed. Nothing more is sent. Resume sends the rest all the same; cancel refunds what was not sent.";
  expect(await screen.findByText(told)).toBeVisible();
  expect(screen.getByText("Paused: 950 messages of 1,000 wait until you resume.")).toBeVisible();
  expect(document.body).not.toHaveTextContent(/canary|administrator/i);
  await user.click(screen.getByRole("button", { name: "Resume" }));
  const dialog = await screen.findByRole("dialog", { name: "Resume this campaign?" });
  expect(dialog).toHaveTextContent(
    "12 of the first 50 messages were delivered, and 40 were needed. The rest goes out all the same.950 messages will go out now.",
  );
  let asked = 0;
  answers("post", "/api/campaigns/:id/resume", { campaign: stopped, message: "It goes on" }, 200, () => {
    asked += 1;
  });
  await user.click(within(dialog).getByRole("button", { name: "Resume" }));
  expect(await screen.findByText("It goes on")).toBeVisible();
  expect(asked).toBe(1);
});

test("an administrator who lets such a campaign go on lifts the hold only", () => {
  const held = campaignOf({ queued: 950 }, { status: "paused", held: "admin", canary: FAILED });
  expect(consequenceOf("resume", held, { owner: "ada" })).toEqual([
    "The hold is lifted, and nothing is sent yet: 12 of the first 50 messages were delivered, and 40 were needed. ada then resumes or cancels it.",
  ]);
  const running = { ...FAILED, state: "running", failed: 0 };
  expect(consequenceOf("resume", { ...held, held: null, canary: running })).toEqual([
    "950 messages will go out now. They are paid for: nothing more is charged.",
    "The first 50 go before: the rest waits until 40 of them are delivered.",
  ]);
});

test("what is over can neither be paused nor cancelled, and nothing failed is nothing to resend", async () => {
  open(campaignOf({ suppressed: 3 }, { status: "completed" }));
  expect(await screen.findByRole("button", { name: "Download report" })).toBeVisible();
  for (const name of ["Pause", "Cancel campaign", "Resend failed"]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
});

test("a resend that the wallet does not cover cannot be confirmed, and says where to fund it", async () => {
  const { user } = open(campaignOf({ rejected: 3 }, { status: "completed" }));
  const details = {
    quote_id: 5,
    total_contacts: 3,
    total_suppressed: 0,
    sms_type: "text",
    route: "DEFAULT",
    sender_id: "WEBSMS",
    message: "Hello",
    pages: [1, 1],
    segments: [1, 2],
    unit_price: 4.5,
    total_charges: 13.5,
    currency: "naira",
    balance: 10,
    balance_after: -3.5,
    networks: { mtn: 3 },
    expires_at: "2026-11-21T09:30:00Z",
  };
  answers("post", "/api/campaigns/:id/resend", { details, message: "Quote 5" });
  await user.click(await screen.findByRole("button", { name: "Resend failed" }));
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByRole("button", { name: "Yes, Proceed" })).toBeDisabled();
  expect(within(dialog).getByRole("link", { name: "Fund your account" })).toHaveAttribute(
    "href",
    "/dashboard/fund-with-paystack",
  );
  expect(dialog).toHaveTextContent("1, 1 to 2");
});

test("a resend shows the one price of a page, or a line for each where they are several", async () => {
  const base = {
    quote_id: 5,
    total_contacts: 3,
    total_suppressed: 0,
    sms_type: "text",
    route: "DEFAULT",
    sender_id: "WEBSMS",
    message: "Hello",
    pages: [1, 1],
    segments: [1, 1],
    total_pages: 3,
    unit_price: 4.5,
    total_charges: 120,
    currency: "naira",
    balance: 500,
    balance_after: 380,
    networks: {},
    expires_at: "2026-11-21T09:30:00Z",
  };
  const home = { prefix: "234", network: null, contacts: 1, pages: 1, unit_price: 4.5, charges: 4.5 };
  const elsewhere = { prefix: null, network: null, contacts: 2, pages: 2, unit_price: 40, charges: 80 };
  const shown = async (more: object) => {
    const { user, unmount } = open(campaignOf({ rejected: 3 }, { status: "completed" }));
    answers("post", "/api/campaigns/:id/resend", { details: { ...base, ...more }, message: "Quote 5" });
    await user.click(await screen.findByRole("button", { name: "Resend failed" }));
    const text = (await screen.findByRole("dialog")).textContent ?? "";
    unmount();
    return text;
  };
  const both = await shown({ rates: [home, elsewhere] });
  expect(both).toContain("Elsewhere₦80.002 pages at ₦40.00000Nigeria₦4.501 page at ₦4.50000");
  const mtn = { ...home, network: "mtn", contacts: 3, pages: 3, charges: 13.5 };
  expect(await shown({ rates: [mtn] })).toContain("Nigeria, MTN₦13.503 pages at ₦4.50000");
  const one = await shown({ rates: [{ ...home, contacts: 3, pages: 3, charges: 13.5 }] });
  expect(one).toContain("Price of a page₦4.50000");
  expect(one).not.toContain("destination");
});

test("the cost of a campaign has a line for each price that its quote had", async () => {
  open(campaignOf({ delivered: 3 }, { status: "completed" }));
  const line = (prefix: string, network: string | null, pages: number, charges: number) => ({
    prefix,
    network,
    contacts: pages,
    pages,
    unit_price: charges / pages,
    charges,
  });
  answers("get", "/api/quotes/:id", {
    details: {
      currency: "naira",
      unit_price: 4.5,
      total_contacts: 3,
      total_pages: 3,
      pages: [1, 1],
      segments: [1, 1],
      rates: [line("234", "mtn", 2, 4), line("44", null, 1, 60)],
    },
  });
  const cost = await screen.findByRole("region", { name: "Cost" });
  const items = await within(cost).findAllByRole("listitem");
  expect(items.map((it) => it.textContent)).toEqual([
    "+44₦60.001 page at ₦60.00000",
    "Nigeria, MTN₦4.002 pages at ₦2.00000",
  ]);
  expect(cost).not.toHaveTextContent("₦4.50000");
});

test("another's campaign is said not to be there, with the way back", async () => {
  signedIn();
  answers("get", "/api/campaigns/:id", problem(404, "not_found", "No such campaign"), 404);
  show(<CampaignPage />, { at: "/dashboard/campaigns/12", path: "/dashboard/campaigns/:id" });
  expect(await screen.findByText("There is no such campaign")).toBeVisible();
  expect(screen.getByRole("link", { name: "See sent messages" })).toHaveAttribute(
    "href",
    "/dashboard/sent-messages",
  );
});

test("sums of less than a hundredth add up to what was confirmed", async () => {
  const money = { currency: "espees", total_charges: 0.015, captured: 0.01, released: 0.005, reserved: 0 };
  open(campaignOf({ delivered: 2, rejected: 1 }, { status: "completed", ...money }));
  const cost = await screen.findByRole("region", { name: "Cost" });
  expect(cost).toHaveTextContent("Confirmed price0.015 ESPEES");
  expect(cost).toHaveTextContent("Charged0.01 ESPEES");
  expect(cost).toHaveTextContent("Refunded0.005 ESPEES");
});

test("the cost among the figures is the one that was confirmed", async () => {
  open(
    campaignOf({ delivered: 3 }, { currency: "espees", total_charges: 0.015, captured: 0.015, reserved: 0 }),
  );
  expect(await screen.findByRole("region", { name: "In figures" })).toHaveTextContent("Cost0.015 ESPEES");
});
