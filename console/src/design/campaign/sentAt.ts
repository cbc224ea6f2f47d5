// The time that lists show of a campaign.
import type { Campaign } from "./outcomes";

type Times = Pick<Campaign, "started_at" | "scheduled_at" | "created_at" | "status">;

/** When it began to go out, or is to. One that goes out at once and waits for its turn, or was cancelled before its time, has
 * only the time it was confirmed at. */
export function sentAt({ started_at, scheduled_at, created_at, status }: Times): string {
  return started_at ?? (status === "cancelled" ? null : scheduled_at) ?? created_at;
}
