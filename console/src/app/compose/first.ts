// Sending to a few first, of either form: the fields, what they say to the daemon, and its words about them in plain ones.
import { z } from "zod";
import { ApiProblem } from "../../api/problem";
import type { components } from "../../api/schema";
import { count, counted } from "../../design/count";
import { wordsOf } from "../../design/sendWords";

/** The fields of either form. */
export interface First {
  /** Whether a few get it before the rest. */
  first: boolean;
  /** How many, as `50`, or how many of a hundred, as `5%`. */
  first_size: string;
  /** Numbers of the sender's own that do, beside these or alone. */
  first_seeds: string;
  /** How many of a hundred of these must be delivered; of calls, answered. */
  first_delivery: string;
  /** How long the last of them is waited for, in minutes. */
  first_wait: string;
}

/** As the daemon presets them. A call that is not answered is nothing strange. */
const PRESET = { first: false, first_size: "50", first_seeds: "", first_wait: "10" } as const;
export const NO_FIRST: First = { ...PRESET, first_delivery: "80" };
export const NO_FIRST_CALLS: First = { ...PRESET, first_delivery: "30" };

/** As they are kept. Drafts of before have none of them. */
export const firstFields = (preset: First) => ({
  first: z.boolean().default(preset.first),
  first_size: z.string().default(preset.first_size),
  first_seeds: z.string().default(preset.first_seeds),
  first_delivery: z.string().default(preset.first_delivery),
  first_wait: z.string().default(preset.first_wait),
});

export type FirstField = "first_size" | "first_seeds" | "first_delivery" | "first_wait";

/** Those of a campaign that is copied; a wait that is no whole number of minutes is rounded up. */
export function firstOf(
  form: Pick<components["schemas"]["FilledForm"], "canary" | "canary_delivery" | "canary_wait_s">,
  preset: First,
): First {
  const { canary, canary_delivery, canary_wait_s } = form;
  if (!canary) return preset;
  return {
    first: true,
    first_size: canary,
    first_seeds: "",
    first_delivery: String(canary_delivery ?? preset.first_delivery),
    first_wait: canary_wait_s ? String(Math.ceil(canary_wait_s / 60)) : preset.first_wait,
  };
}

/** The fields that are on the page. */
export const firstVisible = ({ first }: First): FirstField[] =>
  first ? ["first_size", "first_delivery", "first_wait", "first_seeds"] : [];

/** The daemon's names of them. */
export const FIRST_NAMES = {
  canary: "first_size",
  canary_seeds: "first_seeds",
  canary_delivery: "first_delivery",
  canary_wait_s: "first_wait",
} as const;

const SIZE_MAX = 4_096;
const WAIT_MAX_MIN = 1_440;
const SEEDS_MAX = 20;

const BAD_SIZE = `Say how many get it first: 1 to ${count(SIZE_MAX)}, or a share from 1% to 99%`;
const NO_SIZE = "Say how many get it first, or give numbers of your own";
const BAD_SEEDS = `Give 1 to ${SEEDS_MAX} numbers of your own, with commas between them`;
const BAD_DELIVERY = "Say how many of a hundred must get it: 1 to 100";
const BAD_WAIT = `Say how long to wait in whole minutes: 1 to ${count(WAIT_MAX_MIN)}`;

/** A whole number as it is written, within bounds; null where it is none. */
function wholeIn(text: string, most: number): number | null {
  const digits = text.trim().replaceAll(",", "");
  const value = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
  return value >= 1 && value <= most ? value : null;
}

/** `50` or `5%` as the daemon takes it; null where it is neither. */
function sizeOf(text: string): string | null {
  const [, number = "", sign = ""] = /^\s*([\d,]+)\s*(%?)\s*$/.exec(text) ?? [];
  const value = wholeIn(number, sign ? 99 : SIZE_MAX);
  return value === null ? null : `${value}${sign}`;
}

/** Whether only numbers of one's own get it first. */
const isSeedsAlone = (draft: First) => draft.first_size.trim() === "" && draft.first_seeds.trim() !== "";

const deliveryOf = (text: string) => wholeIn(text.replace(/\s*%\s*$/, ""), 100);
const waitOf = (text: string) => wholeIn(text, WAIT_MAX_MIN);

/** What is wrong with them. */
export function firstFaults(draft: First): { field: FirstField; text: string }[] {
  if (!draft.first) return [];
  const faults: { field: FirstField; text: string }[] = [];
  if (sizeOf(draft.first_size) === null && !isSeedsAlone(draft)) {
    faults.push({ field: "first_size", text: draft.first_size.trim() === "" ? NO_SIZE : BAD_SIZE });
  }
  if (deliveryOf(draft.first_delivery) === null) faults.push({ field: "first_delivery", text: BAD_DELIVERY });
  if (waitOf(draft.first_wait) === null) faults.push({ field: "first_wait", text: BAD_WAIT });
  return faults;
}

/** The form's parts; none where all get it at once. */
export function firstParts(draft: First): Record<string, string> {
  const size = sizeOf(draft.first_size);
  const delivery = deliveryOf(draft.first_delivery);
  const wait = waitOf(draft.first_wait);
  const seeds = draft.first_seeds.trim();
  if (!draft.first || delivery === null || wait === null || (size === null && !isSeedsAlone(draft)))
    return {};
  return {
    ...(size === null ? {} : { canary: size }),
    ...(seeds === "" ? {} : { canary_seeds: seeds }),
    canary_delivery: String(delivery),
    canary_wait_s: String(wait * 60),
  };
}

/** The daemon's refusals, by their codes: customers have no name for what it calls a canary. */
const REFUSALS: Record<string, string> = {
  bad_canary: BAD_SIZE,
  bad_canary_delivery: BAD_DELIVERY,
  bad_canary_wait: BAD_WAIT,
  canary_needs_receipts:
    "It cannot be seen whether the first got it, as no receipts come from where some of these recipients are: send to all at once",
  canary_not_yet:
    "The platform is being updated and cannot wait for the first recipients yet; nothing was charged. Confirm it again in a few minutes, or cancel and send to all at once",
};

/** A refusal that names what it refuses, in such words. */
function seedRefusal(code: string, message: string): string | undefined {
  if (code === "canary_seed_refused") return message.replace("The canary's number ", "Your number ");
  if (code !== "bad_canary_seeds") return undefined;
  const [, text, why] = /^'(.*)' is no number for the canary: (.*)$/s.exec(message) ?? [];
  return text === undefined ? BAD_SEEDS : `'${text}' is no number: ${why}`;
}

/** A refusal in words that customers know; anything else as it is. */
export function inPlainWords(thrown: unknown): unknown {
  if (!(thrown instanceof ApiProblem)) return thrown;
  const { status, code, message, errors, requestId, error } = thrown;
  const plain = REFUSALS[code] ?? seedRefusal(code, message);
  if (!plain) return thrown;
  const placed = errors.map((it) => (it.message === message ? { ...it, message: plain } : it));
  return new ApiProblem(status, code, plain, placed, requestId, error);
}

/** A notice of a quote in such words; any other as it is. */
export function plainNotice(notice: string): string {
  const whole = /^A canary of (.+) would be all (\d+) (other )?recipients: /.exec(notice);
  if (whole?.[3])
    return `The others are too few to send to ${whole[1]} first: your own numbers alone get it first`;
  if (whole) return `These recipients are too few to send to ${whole[1]} first: all get it at once`;
  const fewer = /^The canary is (\d+) recipients and not (\S+): /.exec(notice);
  if (fewer)
    return `${count(Number(fewer[1]))} get it first and not ${fewer[2]}, which is the most there can be`;
  return notice;
}

/** The first of a quote, in a sentence or two. */
export function firstTerms(first: components["schemas"]["QuoteCanary"], kind: string, runs: number): string {
  const words = wordsOf(kind);
  const { size, seeds = 0, delivery, wait_s } = first;
  const needed = Math.ceil((size * delivery) / 100);
  const are =
    seeds === size
      ? counted(size, "number of your own", "numbers of your own")
      : counted(size, "person", "people");
  const own =
    seeds > 0 && seeds < size
      ? `, ${count(seeds)} of them ${seeds === 1 ? "a number" : "numbers"} of your own`
      : "";
  const who = `${are} ${words.isCall ? (size === 1 ? "is called" : "are called") : size === 1 ? "gets it" : "get it"} first${runs > 1 ? " each time" : ""}${own}`;
  const when = words.isCall
    ? `${count(needed)} of them answered`
    : `${count(needed)} of these messages ${needed === 1 ? "was" : "were"} delivered`;
  const after = words.isCall ? "the last of these calls was over" : "the last of them was submitted";
  return `${who}; the rest waits until ${when}, at most ${span(wait_s)} after ${after}. Otherwise the campaign stops, and you decide how it goes on.`;
}

/** `10 minutes`; as programs may set it, `90 seconds`. */
const span = (seconds: number) =>
  seconds % 60 === 0 ? counted(seconds / 60, "minute") : counted(seconds, "second");
