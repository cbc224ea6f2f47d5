// Why a campaign stands still.
import type { Campaign } from "./outcomes";

const FIRST_SEND =
  "Held: the first large send of an account, in one campaign or message by message, waits until an administrator has looked at it and resumes it.";

/** Why it is paused or failed. The daemon's words of a first send promise that it goes on by itself. */
export function reasonOf({
  status,
  status_reason,
  held,
}: Pick<Campaign, "status" | "status_reason" | "held">): string | null {
  if (status === "paused" && held === "first_send") return FIRST_SEND;
  return status_reason ?? null;
}
