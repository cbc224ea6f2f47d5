// The time that lists show of a campaign.
import type { Campaign } from "./outcomes";

/** When it began to go out, or is to; one that goes out at once and waits for its turn has only the time it was confirmed at. */
export function sentAt(campaign: Pick<Campaign, "started_at" | "scheduled_at" | "created_at">): string {
  return campaign.started_at ?? campaign.scheduled_at ?? campaign.created_at;
}
