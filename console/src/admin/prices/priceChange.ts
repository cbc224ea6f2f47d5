// What a new price means beside the one that is set.
import { micros } from "../../design/money";

/** Beyond this, in percent up or down, a change is asked about with a warning. */
export const STEEP_PERCENT = 50n;

export interface PriceChange {
  /** Null where no price was set. */
  before: string | null;
  after: string;
  /** In whole tenths of a percent, cut; null where there was no price, or it was zero. */
  tenths: bigint | null;
  /** By the percents as they are told. */
  steep: boolean;
  /** It costs nothing any more. */
  free: boolean;
}

/** Null where there is nothing to ask: the price stays, or none is given. */
export function priceChange(before: unknown, after: unknown): PriceChange | null {
  const [old, next] = [micros(String(before ?? "")), micros(String(after ?? ""))];
  if (next === null || old === next) return null;
  const given = { before: old === null ? null : String(before), after: String(after), free: next === 0n };
  if (old === null || old === 0n) return { ...given, tenths: null, steep: old !== null };
  // Division cuts.
  const tenths = ((next - old) * 1_000n) / old;
  const steep = tenths > STEEP_PERCENT * 10n || tenths < -STEEP_PERCENT * 10n;
  return { ...given, tenths, steep };
}

/** `+900 %`, `-50.9 %`; what is less than a tenth is said to be. */
export function signed(tenths: bigint): string {
  if (tenths === 0n) return "less than 0.1 %";
  const size = tenths < 0n ? -tenths : tenths;
  const part = size % 10n === 0n ? "" : `.${size % 10n}`;
  return `${tenths > 0n ? "+" : "-"}${size / 10n}${part} %`;
}

/** What to look at twice; null where there is nothing. */
export function warningOf({ free, steep, tenths }: PriceChange): string | null {
  if (free) return "This makes it free of charge.";
  if (!steep) return null;
  return tenths === null
    ? "Until now this was free of charge. Check the figure."
    : `This changes the price by more than ${STEEP_PERCENT} %. Check where the decimal point is.`;
}
