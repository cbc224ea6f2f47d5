// What a campaign sends, in words: messages that are billed by the page, or calls that are billed by the pulse. Every page
// that speaks of either asks here.
import { count } from "./count";
import { formatPhone } from "./phone";

export interface SendWords {
  isCall: boolean;
  one: string;
  many: string;
  /** The same at the beginning of a sentence or as a heading. */
  One: string;
  Many: string;
  /** What it is billed by, as heading and in a sentence. */
  unit: string;
  Units: string;
  /** `sent`, as messages are, or `made`. */
  sent: string;
  /** What becomes of it first. */
  begun: string;
  /** How it ends well, in a sentence and as a heading. */
  reached: string;
  Reached: string;
  /** `1 message`, `2,000 calls`. */
  of: (many: number) => string;
}

const words = (one: string, many: string, rest: Omit<SendWords, "one" | "many" | "One" | "Many" | "of">) => ({
  one,
  many,
  One: capital(one),
  Many: capital(many),
  of: (value: number) => `${count(value)} ${value === 1 ? one : many}`,
  ...rest,
});

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const MESSAGES: SendWords = words("message", "messages", {
  isCall: false,
  unit: "page",
  Units: "Pages",
  sent: "sent",
  begun: "handed to the carrier",
  reached: "delivered",
  Reached: "Delivered",
});

const CALLS: SendWords = words("call", "calls", {
  isCall: true,
  unit: "pulse",
  Units: "Pulses",
  sent: "made",
  begun: "placed",
  reached: "answered",
  Reached: "Answered",
});

const BOTH: SendWords = words("message or call", "messages and calls", {
  isCall: false,
  unit: "unit",
  Units: "Units",
  sent: "sent",
  begun: "handed to the carrier",
  reached: "delivered or answered",
  Reached: "Delivered or answered",
});

/** The words for campaigns of these kinds, each a `sms_type`. */
export function wordsOf(...kinds: readonly string[]): SendWords {
  const calls = kinds.filter((kind) => kind === "voice").length;
  if (calls === 0) return MESSAGES;
  return calls === kinds.length ? CALLS : BOTH;
}

/** What a status means of a call, where it differs from that of a message. */
export const CALL_MEANINGS: Readonly<Record<string, string>> = {
  delivered: "Answered",
  undelivered: "Busy, not answered, or the call failed; refunded",
  rejected: "Declined, no such number, or it may not be called; refunded",
  unknown: "Cut off on its way; support settles it as answered or refunded",
  queued: "Waits to be called",
  submitting: "Is being called",
};

/** Whom calls are from: their sender is a number, or a label of the platform's own number. */
export function callerName(sender: string): string {
  return /^\d+$/.test(sender) ? formatPhone(sender) : "The platform's number";
}
