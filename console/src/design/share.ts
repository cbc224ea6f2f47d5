// Parts of a whole, rounded in one way wherever they are shown.
import { type Failures, failedOf } from "./campaign/outcomes";

/** `12.5%`, to the nearest tenth; never 100% or 0% while that is not quite so. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  if (part === whole) return "100%";
  const tenths = Math.min(999, Math.round((part * 1000) / whole));
  return tenths < 1 ? "<0.1%" : `${Math.floor(tenths / 10)}.${tenths % 10}%`;
}

/** The part of messages with a known end that was delivered; a dash while none has one. */
export function deliveryRate(ended: Failures & { delivered: number }): string {
  const known = ended.delivered + failedOf(ended);
  return known === 0 ? "-" : share(ended.delivered, known);
}
