import { expect, test } from "vitest";
import { costsOf, marginOf } from "./margin";

const day = (
  network: string,
  segments: number,
  cost: number | null,
  cost_currency: string | null = "naira",
) => ({
  day: "2026-11-20",
  carrier: "main",
  network,
  messages: segments,
  segments,
  revenue: 0,
  currency: "naira",
  cost,
  cost_currency,
  margin: null,
});

test("costs are summed by network, and those in another currency or unknown are left out", () => {
  const days = [
    day("mtn", 3, 6),
    day("mtn", 1, 2.4),
    day("glo", 10, 20, "espees"),
    day("airtel", 4, null, null),
  ];
  expect(costsOf(days, "naira")).toEqual([{ network: "mtn", segments: 4, costOfOne: 2_100_000n }]);
});

test("a margin is what the price leaves, and may be below nothing", () => {
  expect(marginOf("4.5", 2_100_000n)).toEqual({ left: 2_400_000n, percent: 53n });
  expect(marginOf("2", 2_100_000n)).toEqual({ left: -100_000n, percent: -5n });
  expect(marginOf("0", 1n)).toEqual({ left: -1n, percent: null });
  expect(marginOf("four", 1n)).toBeNull();
});
