// What can be done to a campaign, and what that means in numbers. The daemon decides; this says it beforehand.
import type { components } from "../../api/schema";
import { needsAdmin, needsOwner } from "../../design/campaign/held";
import { counted } from "../../design/count";
import { moneyOf } from "../../design/money";
import { wordsOf } from "../../design/sendWords";

export type Campaign = components["schemas"]["Campaign"];
type Counts = components["schemas"]["Counts"];

export const STATUSES = ["scheduled", "sending", "paused", "completed", "cancelled", "failed"] as const;

/** Scheduled and sending ones can be paused, paused ones go on, and none that is over can be changed. */
export const canPause = ({ status }: Pick<Campaign, "status">) =>
  status === "sending" || status === "scheduled";
export const canResume = ({ status }: Pick<Campaign, "status">) => status === "paused";
export const canCancel = ({ status }: Pick<Campaign, "status">) =>
  status === "sending" || status === "scheduled" || status === "paused";

const total = (rows: readonly Campaign[], of: (counts: Counts) => number) =>
  rows.reduce((sum, it) => sum + of(it.counts), 0);
const reserved = (rows: readonly Campaign[]) =>
  moneyOf(rows.map((it) => ({ value: it.reserved, currency: it.currency })));

const words = (rows: readonly Campaign[]) => wordsOf(...rows.map((it) => it.sms_type));
const waiting = (rows: readonly Campaign[]) => words(rows).of(total(rows, (it) => it.queued));

/** Said before it is done, of one campaign or of several. */
export const CONSEQUENCES = {
  pause: (rows: readonly Campaign[]) =>
    `${waiting(rows)} that still wait ${words(rows).isCall ? "are not made" : "stay unsent"}, and ${reserved(rows)} stays reserved. ` +
    (words(rows).isCall
      ? "Calls that were begun before go on."
      : "What was handed to the carrier before still goes out."),
  resume: (rows: readonly Campaign[]) => {
    const lifted = rows.filter((it) => needsAdmin(it) && it.canary?.state === "failed");
    const failed = rows.filter((it) => !lifted.includes(it) && needsOwner(it));
    const going = rows.filter((it) => !lifted.includes(it) && !failed.includes(it));
    const told = [
      ...(going.length > 0
        ? [`${waiting(going)} that wait go out again, at the prices that were promised.`]
        : []),
      ...(failed.length > 0
        ? [
            `The canary of ${of(failed.length, rows.length)} failed: the owner sends the rest or cancels, also where that is you.`,
          ]
        : []),
      ...(lifted.length > 0
        ? [
            `Of ${of(lifted.length, rows.length)} only the hold is lifted, as the canary failed: the owner then resumes or cancels.`,
          ]
        : []),
    ];
    return told.join(" ");
  },
  cancel: (rows: readonly Campaign[]) => {
    const flying = total(rows, (it) => it.submitting);
    const rest =
      flying > 0
        ? ` ${words(rows).of(flying)} with the carrier settle${flying === 1 ? "s" : ""} by the carrier's answer.`
        : "";
    return (
      `${waiting(rows)} that still wait will never be ${words(rows).sent}; their part of the ` +
      `${reserved(rows)} reserved goes back to ${walletsOf(rows)}.${rest} This cannot be undone.`
    );
  },
} as const;

/** Which of the campaigns that are spoken of: it, or so many of them. */
const of = (some: number, all: number) => (all === 1 ? "this campaign" : counted(some, "campaign"));

function walletsOf(rows: readonly Campaign[]): string {
  const names = [...new Set(rows.map((it) => it.username))];
  return names.length === 1 ? `${names[0]}'s wallet` : `the wallets of ${names.length} users`;
}
