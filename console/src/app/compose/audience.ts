// What both forms of this feature have: who gets it, what pays for it, and when. Their parts read these fields only.
import { readMinute } from "../../design/dateTime";
import type { Purpose } from "../../design/purpose";
import type { PaymentMethod } from "../../design/unitPrice";
import type { First } from "./first";

/** The fields of either form that `Recipients`, `PurposeChoice`, `Payment`, `FirstChoice` and `Schedule` show. */
export interface Audience extends First {
  recipients: string;
  groups: number[];
  /** Earlier lists as the API names them: the recipients of a campaign, the numbers of an import. */
  audience: string[];
  /** What it is for; empty: as it is set for the sender and the account. */
  purpose: "" | Purpose;
  payment_method: "" | PaymentMethod;
  later: boolean;
  /** As they are written, in the account's zone; only `YYYY-MM-DD HH:mm` passes. */
  times: string[];
}

/** Of a pasted text; what is longer goes as a file, so that the page never reads it. */
export const PASTE_MAX = 100_000;
/** Runs of one campaign. */
export const TIMES_MAX = 50;

/** The specification's text. */
export const INACTIVE = "Please Contact Admin to activate your account";

/** Whether it has no recipients. */
export function isUnaddressed({ recipients, groups, audience }: Audience, files: number): boolean {
  return recipients.trim() === "" && groups.length + audience.length + files === 0;
}

/** The start times as the API takes them, in the account's zone. */
export function timesOf({ later, times }: Audience): string[] {
  return later ? times.filter(Boolean).map((time) => readMinute(time) ?? time) : [];
}

/** How often the whole campaign is sent: once at each of its times, and a time that stands there twice is one. */
export function runsOf(audience: Audience): number {
  return Math.max(1, new Set(timesOf(audience)).size);
}

/** What is wrong with the times; null where nothing is. */
export function timesFault(audience: Audience): string | null {
  const times = timesOf(audience);
  const unread = times.find((time) => readMinute(time) === null);
  if (unread !== undefined) return `'${unread}' is no time: write it as YYYY-MM-DD HH:mm`;
  return audience.later && times.length === 0
    ? "Time is required: give the time to send at, or send now"
    : null;
}
