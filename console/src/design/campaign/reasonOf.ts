// Why a campaign stands still.
import { firstFared, firstFigures, needsOwner } from "./held";
import type { Campaign } from "./outcomes";

const FIRST_SEND =
  "Held: the first large send of an account, in one campaign or message by message, waits until an administrator has looked at it and resumes it.";

/** What its owner can do where too few of its first recipients got it. */
export const DECIDE = "Resume sends the rest all the same; cancel refunds what was not sent.";

/** The daemon's words while the rest waits, in which it names what customers have no name for. */
const REST_WAITS = /^The rest waits for the canary:/;

type Told = Pick<Campaign, "status" | "status_reason" | "held" | "canary" | "sms_type">;

/** Whether what it waits for is how its first recipients fare. */
export function isOfFirst({ held, canary, status_reason }: Told): boolean {
  return needsOwner({ held }) || (canary?.state === "running" && REST_WAITS.test(status_reason ?? ""));
}

/** Why it is paused or failed. The daemon's words of a first send promise that it goes on by itself. */
export function reasonOf(campaign: Told): string | null {
  const { status, status_reason, held } = campaign;
  if (status === "paused" && held === "first_send") return FIRST_SEND;
  if (!isOfFirst(campaign)) return status_reason ?? null;
  if (needsOwner(campaign)) {
    return `Stopped: ${firstFared(campaign) ?? "too few of the first recipients got it"}. ${DECIDE}`;
  }
  return `The rest waits for the first recipients: ${firstFigures(campaign)}.`;
}
