import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { campaignOf } from "../../testing/campaign";
import { nextPollMs, sendRateOf, useThrottled } from "./live";

const now = Date.parse("2026-11-21T09:00:00Z");

test("a campaign that moves is looked at often, and ever more rarely while nothing moves", () => {
  const sending = campaignOf({ queued: 5, delivered: 5 });
  expect(nextPollMs(sending, 0, now)).toBe(1_500);
  expect(nextPollMs(sending, 20_000, now)).toBe(6_000);
  expect(nextPollMs(sending, 90_000, now)).toBe(20_000);
});

test("what is over is looked at while receipts are awaited, and then no more", () => {
  const over = { status: "completed" };
  expect(nextPollMs(campaignOf({ delivered: 5 }, over), 0, now)).toBe(false);
  expect(nextPollMs(campaignOf({ delivered: 4, submitted: 1 }, over), 0, now)).toBe(2_000);
  expect(nextPollMs(campaignOf({ delivered: 4, submitted: 1 }, over), 601_000, now)).toBe(false);
  // A cancelled campaign's messages in flight still settle.
  expect(nextPollMs(campaignOf({ cancelled: 4, submitting: 1 }, { status: "cancelled" }), 0, now)).toBe(
    2_000,
  );
});

test("a scheduled campaign is looked at when its time comes", () => {
  const at = (scheduled_at: string) => campaignOf({ queued: 5 }, { status: "scheduled", scheduled_at });
  expect(nextPollMs(at("2026-11-21T09:00:10Z"), 0, now)).toBe(10_000);
  expect(nextPollMs(at("2026-12-21T09:00:00Z"), 0, now)).toBe(60_000);
  expect(nextPollMs(at("2026-11-21T08:59:59Z"), 0, now)).toBe(3_000);
});

test("the pace is that of the last seconds, and unknown from one look", () => {
  expect(sendRateOf([{ at: now, handed: 100 }], 50)).toEqual({ rate: null, remaining_s: null });
  const looks = [
    { at: now - 60_000, handed: 0 },
    { at: now - 2_000, handed: 1_000 },
    { at: now, handed: 1_100 },
  ];
  expect(sendRateOf(looks, 505)).toEqual({ rate: 50, remaining_s: 11 });
});

test("what follows the figures waits its time, but not once they stand still for good", () => {
  vi.useFakeTimers();
  try {
    const { result, rerender } = renderHook(
      ({ value, settled }: { value: string; settled?: number }) => useThrottled(value, 30_000, settled),
      { initialProps: { value: "a" } as { value: string; settled?: number } },
    );
    const after = (ms: number) => {
      act(() => vi.advanceTimersByTime(ms));
      return result.current;
    };
    rerender({ value: "b" });
    expect(after(0)).toBe("b");
    rerender({ value: "c" });
    expect(after(4_000)).toBe("b");
    rerender({ value: "d", settled: 3_000 });
    expect(after(2_000)).toBe("b");
    rerender({ value: "e", settled: 3_000 });
    expect(after(2_000)).toBe("b");
    expect(after(1_000)).toBe("e");
  } finally {
    vi.useRealTimers();
  }
});
