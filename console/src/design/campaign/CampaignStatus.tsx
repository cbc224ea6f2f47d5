// The status of a campaign in a list, with what it waits for below it.
import Typography from "@mui/material/Typography";
import { StatusChip } from "../values";
import { needsAdmin, needsOwner } from "./held";
import type { Campaign } from "./outcomes";

/** `campaign`: where no more than the status is known, undefined. */
export function CampaignStatus({ status, campaign }: { status: string; campaign: Campaign | undefined }) {
  const waits = campaign && waitsFor(campaign);
  if (!waits) return <StatusChip status={status} />;
  return (
    <span>
      <StatusChip status={status} />
      <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
        {waits}
      </Typography>
    </span>
  );
}

/** In a few words; null where it waits for nothing but its turn. */
function waitsFor(campaign: Campaign): string | null {
  if (campaign.status === "paused" && needsOwner(campaign)) return "waits for you";
  if (campaign.status === "paused" && needsAdmin(campaign)) return "held for review";
  if (campaign.status === "sending" && campaign.canary?.state === "running") return "to a few first";
  return null;
}
