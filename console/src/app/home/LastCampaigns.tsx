// The newest campaigns, each with what became of it; those that are sent now are followed by their events.
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as To } from "react-router-dom";
import { CampaignCost } from "../../design/CampaignCost";
import { useCampaign } from "../../design/campaign/live";
import { OutcomeBar } from "../../design/campaign/OutcomeBar";
import { type Campaign, groups, kindName } from "../../design/campaign/outcomes";
import { Panel } from "../../design/campaign/Panel";
import { sentAt } from "../../design/campaign/sentAt";
import { count } from "../../design/count";
import { callerName, wordsOf } from "../../design/sendWords";
import { share } from "../../design/share";
import { DateTime, StatusChip } from "../../design/values";
import { moves } from "./activity";

/** A browser keeps few connections open to one host: no more than these of them are streams. */
const FOLLOWED = 2;

export function LastCampaigns({ campaigns }: { campaigns: readonly Campaign[] }) {
  const followed = campaigns.filter(moves).slice(0, FOLLOWED);
  return (
    <Panel
      title="Last campaigns"
      aside={
        <Link component={To} to="/dashboard/sent-messages?type=all">
          All campaigns
        </Link>
      }
    >
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {campaigns.map((it) =>
          followed.includes(it) ? <Followed key={it.id} campaign={it} /> : <Row key={it.id} campaign={it} />,
        )}
      </Box>
    </Panel>
  );
}

function Followed({ campaign }: { campaign: Campaign }) {
  const { data } = useCampaign(campaign.id);
  return <Row campaign={data ?? campaign} />;
}

function Row({ campaign }: { campaign: Campaign }) {
  const sums = groups(campaign.counts);
  const words = wordsOf(campaign.sms_type);
  const sender = words.isCall ? callerName(campaign.senderid) : campaign.senderid;
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        columnGap: 2,
        rowGap: 0.5,
        alignItems: "center",
        gridTemplateColumns: {
          xs: "minmax(0, 1fr) auto",
          md: "minmax(0, 5fr) minmax(0, 4fr) 104px minmax(110px, auto)",
        },
        py: 1.25,
        borderTop: 1,
        borderColor: "divider",
        "&:first-of-type": { borderTop: 0, pt: 0 },
        "&:last-of-type": { pb: 0 },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Link
          component={To}
          to={`/dashboard/campaigns/${campaign.id}`}
          sx={{
            display: "block",
            fontWeight: 600,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {campaign.msg || `Campaign ${campaign.id}`}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {sender}, {kindName(campaign.sms_type)}, <DateTime value={sentAt(campaign)} />
        </Typography>
      </Box>
      <Box sx={{ minWidth: 0, gridRow: { xs: 2, md: "auto" } }}>
        <OutcomeBar label={`Campaign ${campaign.id}`} groups={sums} height={8} />
        <Typography
          variant="body2"
          color="textSecondary"
          sx={{ mt: 0.5, fontVariantNumeric: "tabular-nums" }}
        >
          {count(sums.delivered)} of {words.of(campaign.total_contacts)} {words.Reached.toLowerCase()} (
          {share(sums.delivered, campaign.total_contacts)})
        </Typography>
      </Box>
      <Box sx={{ textAlign: "right", gridColumn: { xs: 2, md: "auto" }, gridRow: { xs: 2, md: "auto" } }}>
        <StatusChip status={campaign.status} />
      </Box>
      <Box sx={{ textAlign: "right", gridColumn: { xs: 2, md: "auto" }, gridRow: { xs: 1, md: "auto" } }}>
        <CampaignCost campaign={campaign} />
      </Box>
    </Box>
  );
}
