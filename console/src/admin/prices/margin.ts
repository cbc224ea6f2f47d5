// What a price leaves: carriers' costs of the last days, a segment each, against it. Whole micro-units throughout.
import type { components } from "../../api/schema";
import { type Currency, micros } from "../../design/money";

type Day = components["schemas"]["Margin"];

export interface NetworkCost {
  network: string;
  segments: number;
  /** Micro-units a segment, cut. */
  costOfOne: bigint;
}

/** Costs by network, in this currency only: others cannot be compared with the price. */
export function costsOf(days: readonly Day[], currency: Currency): NetworkCost[] {
  const sums = new Map<string, { segments: number; cost: bigint }>();
  for (const day of days) {
    if (day.cost == null || day.cost_currency !== currency || day.segments === 0) continue;
    const sum = sums.get(day.network) ?? { segments: 0, cost: 0n };
    sum.segments += day.segments;
    sum.cost += micros(day.cost) ?? 0n;
    sums.set(day.network, sum);
  }
  return [...sums]
    .map(([network, { segments, cost }]) => ({ network, segments, costOfOne: cost / BigInt(segments) }))
    .sort((a, b) => b.segments - a.segments);
}

/** The margin of a page of one segment, in micro-units and in whole percent of the price; null without a price. */
export function marginOf(price: string, cost: bigint): { left: bigint; percent: bigint | null } | null {
  const asked = micros(price);
  if (asked === null) return null;
  const left = asked - cost;
  return { left, percent: asked === 0n ? null : (left * 100n) / asked };
}
