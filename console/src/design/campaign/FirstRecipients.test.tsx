import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { CampaignStatus } from "./CampaignStatus";
import { FirstRecipients, firstWords } from "./FirstRecipients";
import type { Campaign } from "./outcomes";
import { Progress } from "./Progress";
import { reasonOf } from "./reasonOf";

const NOW = Date.parse("2026-11-21T09:00:00Z");
const RUNNING = {
  state: "running",
  size: 50,
  delivered: 12,
  failed: 3,
  delivery: 80,
  needed: 40,
  wait_s: 600,
  until: null as string | null,
};
const quiet = { rate: null, remaining_s: null };

const of = (canary: Partial<typeof RUNNING>, more: Partial<Campaign> = {}) =>
  campaignOf({ queued: 950, delivered: 50 }, { canary: { ...RUNNING, ...canary }, ...more });

test("how the first recipients fare is a sentence in each of its states", () => {
  const told = (canary: Partial<typeof RUNNING>, more: Partial<Campaign> = {}) =>
    firstWords(of(canary, more), NOW);
  const waits = "The rest waits until 40 of the first 50 messages are delivered.";
  expect(told({})).toBe(waits);
  expect(told({ until: "2026-11-21T09:05:30Z" })).toBe(
    `${waits} It has about 6 minutes left; what is not delivered by then counts as failed.`,
  );
  expect(told({ until: "2026-11-21T08:59:00Z" })).toBe(`${waits} It is decided in a moment.`);
  expect(told({ until: "2026-11-21T09:05:30Z" }, { status: "paused" })).toBe(
    `${waits} The time for it starts again when the campaign goes on.`,
  );
  const fared = "12 of the first 50 messages were delivered, and 40 were needed";
  expect(told({ state: "passed", delivered: 40 })).toBe(
    "40 of the first 50 messages were delivered, and 40 were needed: the rest was let go.",
  );
  expect(told({ state: "failed" })).toBe(`Too few got through: ${fared}. Nothing more is sent.`);
  // Receipts that came after it was decided.
  expect(told({ state: "failed", delivered: 41 })).toBe(
    "Too few of the first 50 messages were delivered in time. By now 41 of the first 50 messages were delivered, and 40 were needed.",
  );
  expect(told({ state: "resumed" })).toContain("the rest was let go all the same");
  expect(told({ state: "stopped" })).toBe(`The campaign ended before it was known: ${fared}.`);
  expect(told({}, { sms_type: "voice" })).toBe("The rest waits until 40 of the first 50 calls are answered.");
});

test("a campaign without first recipients says nothing of them", () => {
  signedIn();
  show(<FirstRecipients campaign={campaignOf({ queued: 2 })} />);
  expect(screen.queryByText("First recipients")).toBeNull();
});

test("figures and what can be done stand once, in words that customers know", () => {
  signedIn();
  const stopped = of(
    { state: "failed", failed: 38 },
    { status: "paused", held: "canary", status_reason: "The canary failed: 12 of 50 delivered, 40 needed" },
  );
  show(
    <>
      <FirstRecipients campaign={stopped} />
      <Progress campaign={stopped} pace={quiet} />
    </>,
  );
  expect(screen.getByRole("alert")).toHaveTextContent(
    "Too few got through: 12 of the first 50 messages were delivered, and 40 were needed. Nothing more is sent. Resume sends the rest all the same; cancel refunds what was not sent.",
  );
  expect(
    screen.getByRole("img", { name: "First recipients: 12 of 50 delivered, 38 failed, 40 needed" }),
  ).toBeVisible();
  expect(screen.getByText("Not passed")).toBeVisible();
  expect(document.body).not.toHaveTextContent(/canary/i);
});

test("a hold by an administrator is told beside first recipients who did not get it", () => {
  signedIn();
  const held = of(
    { state: "failed", failed: 38 },
    { status: "paused", held: "admin", status_reason: "Looks like spam" },
  );
  show(
    <>
      <FirstRecipients campaign={held} />
      <Progress campaign={held} pace={quiet} />
    </>,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("Looks like spam");
  expect(document.body).not.toHaveTextContent(/Resume sends the rest/);
});

test("why the rest waits is told without the daemon's name for it, and a carrier's fault as it is", () => {
  const waiting = { status_reason: "The rest waits for the canary: 12 of 50 delivered, 40 needed" };
  expect(reasonOf(of({}, waiting))).toBe(
    "The rest waits for the first recipients: 12 of 50 delivered, 3 failed, 40 needed.",
  );
  expect(reasonOf(of({}, { status_reason: "The carrier main is down" }))).toBe("The carrier main is down");
  signedIn();
  show(<Progress campaign={of({}, waiting)} pace={quiet} />);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("in lists a status says what is waited for, where it is known", () => {
  signedIn();
  const paused = of({ state: "failed" }, { status: "paused", held: "canary" });
  const first = show(<CampaignStatus status="paused" campaign={paused} />);
  expect(screen.getByText("waits for you")).toBeVisible();
  first.unmount();
  const held = show(<CampaignStatus status="paused" campaign={{ ...paused, held: "first_send" }} />);
  expect(screen.getByText("held for review")).toBeVisible();
  held.unmount();
  const running = show(<CampaignStatus status="sending" campaign={of({})} />);
  expect(screen.getByText("to a few first")).toBeVisible();
  running.unmount();
  show(<CampaignStatus status="paused" campaign={undefined} />);
  expect(screen.getByText("Paused")).toBeVisible();
  expect(document.body).not.toHaveTextContent(/waits|review|first/);
});
