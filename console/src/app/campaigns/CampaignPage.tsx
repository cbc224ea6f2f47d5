// /dashboard/campaigns/:id: one campaign, as its customer sees it.
import ContentCopyOutlined from "@mui/icons-material/ContentCopyOutlined";
import Button from "@mui/material/Button";
import { Link, useParams } from "react-router-dom";
import { CampaignControls } from "../../design/campaign/CampaignControls";
import { type CampaignRoom, CampaignView } from "../../design/campaign/CampaignView";
import type { Campaign } from "../../design/campaign/outcomes";
import { Resend } from "../../design/campaign/Resend";
import { composeAddress } from "../../design/composeAddress";
import { PageHeader } from "../../design/PageHeader";
import { usePlace } from "../../design/place";
import { wordsOf } from "../../design/sendWords";
import { EmptyState } from "../../design/states";

export default function CampaignPage() {
  const id = Number(useParams().id);
  // Another campaign starts again: its pace, its dialogs and its charts are its own.
  return <CampaignView key={id} id={id} room={roomOf} missing={<Missing />} />;
}

function roomOf(campaign: Campaign): CampaignRoom {
  const { id } = campaign;
  const back = wordsOf(campaign.sms_type).isCall
    ? { to: "/dashboard/voice-reports", label: "All calls" }
    : { to: "/dashboard/sent-messages", label: "All campaigns" };
  return {
    back,
    actions: (
      <>
        <Place at={back.to} />
        <CampaignControls campaign={campaign} />
        <Resend campaign={campaign} />
        <Button
          component={Link}
          to={composeAddress(campaign.sms_type, { campaign: id })}
          variant="outlined"
          startIcon={<ContentCopyOutlined />}
        >
          Duplicate
        </Button>
      </>
    ),
    messageAddress: (message) => `/dashboard/messages/${message}`,
    numberAddress: (number) => `/dashboard/messages?number=${encodeURIComponent(number)}`,
    sendAddress: (list) => composeAddress(campaign.sms_type, { audience: [list] }),
    moneyAddress: `/dashboard/transaction-history?campaign_id=${id}`,
  };
}

function Place({ at }: { at: string }) {
  usePlace(at);
  return null;
}

function Missing() {
  return (
    <>
      <PageHeader title="No such campaign" />
      <EmptyState
        title="There is no such campaign"
        text="It may belong to another account. Yours are under Sent Messages."
        action={{ label: "See sent messages", to: "/dashboard/sent-messages" }}
      />
    </>
  );
}
