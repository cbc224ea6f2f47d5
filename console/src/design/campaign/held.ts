// Who lets a paused campaign go on, and how its first recipients fared.
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

/** As in `12 of 50 delivered, 3 failed, 40 needed`; empty where it has none. */
export function firstFigures({ canary, sms_type }: Pick<Campaign, "canary" | "sms_type">): string {
  if (!canary) return "";
  const { delivered, size, failed, needed } = canary;
  return `${count(delivered)} of ${count(size)} ${wordsOf(sms_type).reached}, ${count(failed)} failed, ${count(needed)} needed`;
}
