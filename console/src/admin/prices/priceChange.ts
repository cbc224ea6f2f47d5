// What a new price means beside the one that is set.
import { micros } from "../../design/money";

/** Beyond this, in percent up or down, a change is asked about with a warning. */
export const STEEP_PERCENT = 50n;

export interface PriceChange {
  before: string;
  after: string;
  /** In whole percent, towards zero; null where the price was zero. */
  percent: bigint | null;
  steep: boolean;
}

/** Null where there is nothing to ask: no price was set, or it stays. */
export function priceChange(before: unknown, after: unknown): PriceChange | null {
  const [old, next] = [micros(String(before ?? "")), micros(String(after ?? ""))];
  if (old === null || next === null || old === next) return null;
  const percent = old === 0n ? null : ((next - old) * 100n) / old;
  const steep = percent === null || percent > STEEP_PERCENT || percent < -STEEP_PERCENT;
  return { before: String(before), after: String(after), percent, steep };
}

/** `+900 %`. */
export function signed(percent: bigint): string {
  return `${percent > 0n ? "+" : ""}${percent} %`;
}
