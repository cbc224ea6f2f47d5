import { expect, test } from "vitest";
import { type Campaign, CONSEQUENCES, canCancel, canPause, canResume } from "./campaign";

const NONE = {
  cancelled: 0,
  delivered: 0,
  expired: 0,
  queued: 0,
  rejected: 0,
  submitted: 0,
  submitting: 0,
  suppressed: 0,
  undelivered: 0,
  unknown: 0,
};

const campaign = (more: Partial<Campaign>): Campaign => ({
  id: 1,
  user_id: 7,
  username: "ada",
  status: "sending",
  senderid: "ACME",
  msg: "Hi",
  sms_type: "text",
  currency: "naira",
  quote_id: 1,
  created_at: "2026-11-21T08:00:00Z",
  total_contacts: 10,
  total_charges: 45,
  reserved: 45,
  captured: 0,
  released: 0,
  refunded: 0,
  counts: NONE,
  ...more,
});

test("only what is on its way can be paused or cancelled, and only what is paused can go on", () => {
  const able = (status: string) => [canPause, canResume, canCancel].map((it) => it({ status }));
  expect(able("sending")).toEqual([true, false, true]);
  expect(able("scheduled")).toEqual([true, false, true]);
  expect(able("paused")).toEqual([false, true, true]);
  for (const over of ["completed", "cancelled", "failed"]) expect(able(over)).toEqual([false, false, false]);
});

test("what a cancel gives up is said in messages and money", () => {
  const one = campaign({ counts: { ...NONE, queued: 1_200, submitting: 1 }, reserved: 5_404.5 });
  expect(CONSEQUENCES.cancel([one])).toBe(
    "1,200 messages that still wait will never be sent; their part of the ₦5,404.50 reserved goes back to ada's " +
      "wallet. 1 message with the carrier settles by the carrier's answer. This cannot be undone.",
  );
  const two = campaign({ username: "bola", currency: "espees", reserved: 2, counts: { ...NONE, queued: 1 } });
  expect(CONSEQUENCES.cancel([one, two])).toContain("₦5,404.50 and 2.00 ESPEES");
  expect(CONSEQUENCES.cancel([one, two])).toContain("the wallets of 2 users");
});

test("a resume goes over a canary that failed, and of one that an administrator holds lifts the hold only", () => {
  const canary = {
    state: "failed",
    size: 50,
    delivered: 12,
    failed: 38,
    delivery: 80,
    needed: 40,
    wait_s: 600,
    until: null,
  };
  const paused = { status: "paused", counts: { ...NONE, queued: 950 }, canary };
  const own = campaign({ ...paused, held: "canary" });
  const held = campaign({ ...paused, held: "admin" });
  const going = "950 messages that wait go out again, at the prices that were promised.";
  const decides = "failed: the owner sends the rest or cancels, also where that is you.";
  expect(CONSEQUENCES.resume([own])).toBe(`The canary of this campaign ${decides}`);
  const lifted = "only the hold is lifted, as the canary failed: the owner then resumes or cancels.";
  expect(CONSEQUENCES.resume([held])).toBe(`Of this campaign ${lifted}`);
  expect(CONSEQUENCES.resume([own, held])).toBe(
    `The canary of 1 campaign ${decides} Of 1 campaign ${lifted}`,
  );
  expect(CONSEQUENCES.resume([campaign({ ...paused, held: "admin", canary: null })])).toBe(going);
});
