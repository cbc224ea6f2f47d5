import { expect, test } from "vitest";
import { type Counts, groupOf, groups, MEANINGS, meaningOf, sumOf } from "./outcomes";

const counts: Counts = {
  queued: 1,
  submitting: 2,
  submitted: 4,
  delivered: 8,
  undelivered: 16,
  rejected: 32,
  expired: 64,
  unknown: 128,
  cancelled: 256,
  suppressed: 512,
};

test("every status is in one group, so that groups add up to the recipients", () => {
  expect(groups(counts)).toEqual({
    delivered: 8,
    awaited: 4,
    failed: 112,
    unknown: 128,
    unsent: 768,
    waiting: 3,
  });
  expect(sumOf(groups(counts))).toBe(1_023);
  expect(Object.keys(MEANINGS).sort()).toEqual(Object.keys(counts).sort());
});

test("a status of a later daemon counts as unknown, not as delivered", () => {
  expect(groupOf("teleported")).toBe("unknown");
});

test("a call is answered where a message is on the handset", () => {
  expect(meaningOf("delivered", "voice")).toBe("Answered");
  expect(meaningOf("delivered", "text")).toBe(MEANINGS.delivered);
  expect(meaningOf("cancelled", "voice")).toBe(MEANINGS.cancelled);
});
