// One campaign of any customer: the customer's own page, with whose it is and what administrators decide.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { Link, useParams } from "react-router-dom";
import { CampaignControls } from "../../design/campaign/CampaignControls";
import { type CampaignRoom, CampaignView } from "../../design/campaign/CampaignView";
import type { Campaign } from "../../design/campaign/outcomes";
import { wordsOf } from "../../design/sendWords";
import { addressOf, filtered } from "../address";
import { NotFound } from "../layout/NotFound";
import { UserLink } from "../list/cells";

export default function CampaignPage() {
  const { id = "" } = useParams();
  if (!/^\d+$/.test(id)) return <NotFound />;
  return <CampaignView key={id} id={Number(id)} room={roomOf} missing={<NotFound />} />;
}

function roomOf(campaign: Campaign): CampaignRoom {
  return {
    back: { to: addressOf("campaign-history"), label: "All campaigns" },
    owner: <UserLink id={campaign.user_id} name={campaign.username} />,
    actions: <CampaignControls campaign={campaign} owner={campaign.username} />,
    notice: <Unknown campaign={campaign} />,
    messageAddress: (message) => addressOf(`messages/${message}`),
    numberAddress: (number) => filtered("messages", { number }),
    moneyAddress: filtered("transactions", { campaign_id: campaign.id }),
  };
}

function Unknown({ campaign }: { campaign: Campaign }) {
  const { unknown } = campaign.counts;
  if (unknown === 0) return null;
  const words = wordsOf(campaign.sms_type);
  return (
    <Alert
      severity="warning"
      sx={{ mb: 2 }}
      action={
        <Button
          color="inherit"
          size="small"
          component={Link}
          to={filtered("unknown-messages", { campaign_id: campaign.id })}
        >
          Settle them
        </Button>
      }
    >
      It is not known whether {words.of(unknown)} {unknown === 1 ? "was" : "were"}{" "}
      {words.isCall ? "answered" : "sent"}. Their money stays reserved until they are settled.
    </Alert>
  );
}
