// What a message is for, and which messages an opt-out ends, in words.
import type { components } from "../api/schema";

/** What a message is for. */
export type Purpose = components["schemas"]["Purpose"];
/** Which messages an opt-out ends. */
export type OptOutReach = components["schemas"]["OptOutReach"];

/** Purposes in words: a name, and which opt-outs and hours hold for it. */
export const PURPOSES: Record<Purpose, { name: string; text: string }> = {
  promotional: { name: "Advertising", text: "STOP ends it, and it waits in the quiet hours." },
  transactional: {
    name: "Alerts and receipts",
    text: "What recipients expect: STOP ALL ends it, STOP alone does not.",
  },
  otp: { name: "Codes", text: "To sign in or to confirm with: no opt-out ends them." },
};

/** One that has no words yet is shown as the daemon writes it; what is not said is an alert. */
export const purposeName = (purpose: string = "transactional") =>
  PURPOSES[purpose as Purpose]?.name ?? purpose;

type Reach = { value: OptOutReach; label: string };

/** Reaches of an opt-out, the narrow one first. */
export const REACHES: readonly Reach[] = [
  { value: "promotional", label: "Advertising" },
  { value: "all", label: "Everything but codes" },
];

/** One that has no words yet is shown as the daemon writes it. */
export const reachName = (reach: string = "all") =>
  REACHES.find(({ value }) => value === reach)?.label ?? reach;

/** Whether a word is one that the daemon knows a purpose by. */
export const isPurpose = (text: string): text is Purpose => Object.hasOwn(PURPOSES, text);
