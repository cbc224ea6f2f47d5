// Who lets a paused campaign go on.
import { count } from "../count";
import { wordsOf } from "../sendWords";
import type { Campaign } from "./outcomes";

/** Whether only an administrator lets it go on: not where too few of its first recipients got it, which its owner decides. */
export function needsAdmin({ held }: Pick<Campaign, "held">): boolean {
  return Boolean(held) && held !== "canary";
}

/** Whether it waits for its owner, as too few of its first recipients got it. */
export function needsOwner({ held }: Pick<Campaign, "held">): boolean {
  return held === "canary";
}

/** How the first recipients fared in figures; null where it has none. */
export function firstFared({ canary, sms_type }: Pick<Campaign, "canary" | "sms_type">): string | null {
  if (!canary) return null;
  const { delivered, size, needed } = canary;
  const words = wordsOf(sms_type);
  return `${count(delivered)} of the first ${words.of(size)} ${size === 1 ? "was" : "were"} ${words.reached}, and ${count(needed)} ${needed === 1 ? "was" : "were"} needed`;
}
