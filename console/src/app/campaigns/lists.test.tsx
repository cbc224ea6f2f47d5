import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import DeliveryReports from "./DeliveryReports";
import FindNumber from "./FindNumber";
import MessagePage from "./MessagePage";
import SentMessages from "./SentMessages";

const SENT = {
  id: 12,
  type: "text",
  contacts: "2348031234567",
  no_of_contacts: 1,
  msg: "The offer ends tonight",
  status: "scheduled",
  senderid: "WEBSMS",
  espees_deducted: 0,
  naira_deducted: 4.5,
  failed_contacts: "",
  no_of_failed_contacts: 0,
  no_of_sent_contacts: 0,
  sms_shoot_id: 12,
  created_at: "2026-11-21T08:00:00Z",
};

test("a scheduled campaign shows when it goes out, and that its cost is reserved", async () => {
  signedIn();
  const asked: string[] = [];
  answers("get", "/api/get-sent-messages", { messages: [SENT], total: 1 }, 200, (request) => {
    asked.push(new URL(request.url).search);
  });
  const campaign = campaignOf({ queued: 1 }, { status: "scheduled", scheduled_at: "2026-12-20T08:00:00Z" });
  answers("get", "/api/get-campaign-history", { campaigns: [campaign], total: 1 });
  const { user } = show(<SentMessages />);
  expect(await screen.findByText("2026-12-20 09:00")).toBeVisible();
  expect(screen.getByText("goes out")).toBeVisible();
  expect(screen.getByText("reserved")).toBeVisible();
  expect(screen.queryByText("2026-11-21 09:00")).toBeNull();
  await user.click(screen.getByRole("tab", { name: "Scheduled" }));
  await user.click(screen.getByRole("tab", { name: "All" }));
  expect(asked.some((it) => it.includes("status=scheduled") && !it.includes("type="))).toBe(true);
  expect(asked.some((it) => !it.includes("status=") && !it.includes("type="))).toBe(true);
});

test("a campaign that went out as scheduled keeps the time of its start in every list", async () => {
  signedIn();
  const started = { started_at: "2026-12-20T08:00:05Z", scheduled_at: "2026-12-20T08:00:00Z" };
  const campaigns = [12, 13, 14].map((id) =>
    campaignOf({ delivered: 1 }, { id, status: "completed", ...(id === 12 && started) }),
  );
  const messages = [12, 13, 14].map((id) => ({
    ...SENT,
    id,
    status: "completed",
    msg: `Text ${id}`,
    naira_deducted: id === 13 ? 4.505 : 4.5,
  }));
  answers("get", "/api/get-sent-messages", { messages, total: 3 });
  // The last of this page is on the next one of the history.
  answers("get", "/api/get-campaign-history", { campaigns: campaigns.slice(0, 2), total: 4 });
  const at = "2026-12-22T12:00:00Z";
  answers("get", "/api/campaigns/14", { campaign: { ...campaigns[2], scheduled_at: at } });
  const sent = show(<SentMessages />);
  expect(await screen.findByRole("row", { name: /Text 12/ })).toHaveTextContent("2026-12-20 09:00");
  expect(screen.getByRole("row", { name: /Text 13/ })).toHaveTextContent("2026-11-21 09:00");
  expect(screen.getByRole("row", { name: /Text 13/ })).toHaveTextContent("₦4.505charged");
  await waitFor(() =>
    expect(screen.getByRole("row", { name: /Text 14/ })).toHaveTextContent("2026-12-22 13:00"),
  );
  sent.unmount();
  show(<DeliveryReports />);
  expect(await screen.findByText("2026-12-20 09:00")).toBeVisible();
});

test("the messages to a number show what was said", async () => {
  signedIn();
  const row = {
    id: 5,
    campaign_id: 12,
    senderid: "WEBSMS",
    to: "2348031234567",
    network: "mtn",
    pages: 1,
    price: 4.5,
    status: "delivered",
    currency: "naira",
  };
  answers("get", "/api/messages", { messages: [row], total: 1 });
  answers("get", "/api/campaigns/12", {
    campaign: campaignOf({ delivered: 1 }, { msg: "Practice at five" }),
  });
  show(<FindNumber />, { at: "/dashboard/messages?number=08031234567" });
  expect(await screen.findByText("Practice at five")).toBeVisible();
});

test("both sums of a charge have their names on a phone, too", async () => {
  signedIn();
  answers("get", "/api/campaigns/12", { campaign: campaignOf({ delivered: 3 }, { sms_type: "voice" }) });
  answers("get", "/api/messages/5", {
    message: {
      id: 5,
      campaign_id: 12,
      to: "2348031234567",
      status: "delivered",
      network: "mtn",
      price: 9,
      pages: 1,
      senderid: "x",
    },
    text: "Practice at five",
    explanation: "It was answered.",
    history: [],
    entries: [
      { id: 1, code: "reserve", narration: "Campaign 12", share: 9, amount: 27, at: "2026-11-21T08:00:00Z" },
    ],
  });
  show(<MessagePage />, { at: "/dashboard/messages/5", path: "/dashboard/messages/:id" });
  const table = within(await screen.findByRole("table", { name: "Ledger entries" }));
  const cells = table.getAllByRole("cell").map((it) => [it.dataset.phone, it.dataset.label]);
  expect(cells).toEqual([
    ["title", "Entry"],
    ["labelled", "This call"],
    ["labelled", "Ledger entry total"],
    ["plain", "Date"],
  ]);
});
