// Where a message can be, in words, and the few groups that charts and lists draw them in.
// Invariant: each of the daemon's statuses is in exactly one group, so groups add up to a campaign's recipients.
import type { components } from "../../api/schema";
import { CALL_MEANINGS } from "../sendWords";

export type Campaign = components["schemas"]["Campaign"];
export type Counts = components["schemas"]["Counts"];
export type MessageRow = components["schemas"]["MessageRow"];
export type Status = keyof Counts;

export type Group = "delivered" | "awaited" | "failed" | "unknown" | "unsent" | "waiting";

/** The statuses of the group `failed`. Sums of failures are made of them: counts that lack one of them do not compile. */
export const FAILURES = ["undelivered", "rejected", "expired"] as const satisfies readonly Status[];

export type Failures = Record<(typeof FAILURES)[number], number>;

/** How many messages failed. */
export const failedOf = (counts: Failures): number =>
  FAILURES.reduce((sum, status) => sum + counts[status], 0);

interface GroupWords {
  group: Group;
  label: string;
  statuses: readonly Status[];
}

/** In the order they are drawn. */
export const GROUPS: readonly GroupWords[] = [
  { group: "delivered", label: "Delivered", statuses: ["delivered"] },
  { group: "awaited", label: "Receipt awaited", statuses: ["submitted"] },
  { group: "failed", label: "Failed", statuses: FAILURES },
  { group: "unknown", label: "Unknown", statuses: ["unknown"] },
  { group: "unsent", label: "Not sent", statuses: ["cancelled", "suppressed"] },
  { group: "waiting", label: "Waiting", statuses: ["queued", "submitting"] },
];

/** Of a message. */
export const MEANINGS: Record<Status, string> = {
  delivered: "The network says it is on the handset",
  submitted: "The carrier accepted it; its receipt is awaited",
  undelivered: "Accepted by the carrier, but it could not be delivered",
  rejected: "Rejected by the carrier and refunded",
  expired: "Its validity ran out",
  unknown: "The carrier fell silent; support settles it as sent or refunded",
  cancelled: "Not sent, as the campaign was cancelled; refunded",
  suppressed: "Not sent, as the number opted out or is on the Do-Not-Disturb list; refunded",
  queued: "Waits to be handed to the carrier",
  submitting: "Handed to the carrier; its answer is awaited",
};

/** What a status means for the person who paid, of a message or of a call. */
export function meaningOf(status: Status, kind: string): string {
  return (kind === "voice" && CALL_MEANINGS[status]) || MEANINGS[status];
}

export type Groups = Record<Group, number>;

export const NONE: Groups = { delivered: 0, awaited: 0, failed: 0, unknown: 0, unsent: 0, waiting: 0 };

export function groupOf(status: string): Group {
  return GROUPS.find((it) => it.statuses.some((one) => one === status))?.group ?? "unknown";
}

export function groups(counts: Counts): Groups {
  const sums = { ...NONE };
  for (const { group, statuses } of GROUPS) {
    for (const status of statuses) sums[group] += counts[status];
  }
  return sums;
}

export function sumOf(groups: Groups): number {
  return GROUPS.reduce((sum, { group }) => sum + groups[group], 0);
}

/** The kinds of short message, in the order of the tabs. `code` is what the daemon's lists take. */
export const KINDS = [
  { code: "text", label: "Text" },
  { code: "flash", label: "Flash" },
  { code: "unicode", label: "Unicode" },
  { code: "wap-push", label: "WAP" },
  { code: "vcard", label: "VCard" },
] as const;

/** Calls, beside the kinds of short message. */
export const VOICE = { code: "voice", label: "Voice" } as const;

export type Kind = (typeof KINDS)[number]["code"] | typeof VOICE.code;

export function kindName(code: string): string {
  return [...KINDS, VOICE].find((kind) => kind.code === code)?.label ?? code;
}
