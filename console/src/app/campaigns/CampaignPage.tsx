// /dashboard/campaigns/:id: one campaign as it goes, what became of it, what it cost, and each of its messages.
import ContentCopyOutlined from "@mui/icons-material/ContentCopyOutlined";
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import { ApiProblem, messageOf } from "../../api/problem";
import { composeAddress } from "../../design/composeAddress";
import { PageHeader } from "../../design/PageHeader";
import { usePlace } from "../../design/place";
import { callerName, wordsOf } from "../../design/sendWords";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { toast } from "../../design/toasts";
import { Answers } from "./campaign/Answers";
import { Breakdowns } from "./campaign/Breakdowns";
import { CampaignControls } from "./campaign/CampaignControls";
import { Costs } from "./campaign/Costs";
import { Progress } from "./campaign/Progress";
import { Recipients } from "./campaign/Recipients";
import { Resend } from "./campaign/Resend";
import { SentText } from "./campaign/SentText";
import { useCampaign } from "./live";
import { type Campaign, kindName } from "./outcomes";
import { saveReport } from "./reports";

export default function CampaignPage() {
  const id = Number(useParams().id);
  // Another campaign begins anew: its pace, its dialogs and its charts are its own.
  return <One key={id} id={id} />;
}

function One({ id }: { id: number }) {
  const { data: campaign, error, isError, refetch, pace } = useCampaign(id);
  if (!campaign) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) return <Missing />;
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <PageSkeleton />;
  }
  return <Shown campaign={campaign} {...{ error, isError, refetch, pace }} />;
}

type ShownProps = Pick<ReturnType<typeof useCampaign>, "error" | "isError" | "refetch" | "pace"> & {
  campaign: Campaign;
};

function Shown({ campaign, error, isError, refetch, pace }: ShownProps) {
  const back = wordsOf(campaign.sms_type).isCall
    ? { to: "/dashboard/voice-reports", label: "All calls" }
    : { to: "/dashboard/sent-messages", label: "All campaigns" };
  usePlace(back.to);
  return (
    <>
      <PageHeader
        title={`Campaign ${campaign.id}`}
        text={nameOf(campaign)}
        back={back}
        actions={
          <>
            <CampaignControls campaign={campaign} />
            <Resend campaign={campaign} />
            <Button
              component={Link}
              to={composeAddress(campaign.sms_type, { campaign: campaign.id })}
              variant="outlined"
              startIcon={<ContentCopyOutlined />}
            >
              Duplicate
            </Button>
            <Save id={campaign.id} />
          </>
        }
      />
      {isError && (
        <Alert
          severity="warning"
          variant="outlined"
          sx={{ mb: 2 }}
          action={
            <Button color="inherit" size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          These figures are no longer fresh. {messageOf(error)}
        </Alert>
      )}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
          alignItems: "start",
          mb: 2,
        }}
      >
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Progress campaign={campaign} pace={pace} />
          <Answers campaign={campaign} />
          <Breakdowns campaign={campaign} />
        </Box>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <SentText campaign={campaign} />
          <Costs campaign={campaign} />
        </Box>
      </Box>
      <Recipients campaign={campaign} />
    </>
  );
}

const NAME_MAX = 80;

/** What it is known by: the beginning of its text, and the sender. */
function nameOf({ msg, senderid, sms_type }: Campaign): string {
  const sender = wordsOf(sms_type).isCall ? callerName(senderid) : senderid;
  const from = `${sender}, ${kindName(sms_type)}`;
  if (!msg) return from;
  return `“${msg.length > NAME_MAX ? `${msg.slice(0, NAME_MAX).trimEnd()}…` : msg}”, ${from}`;
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

function Save({ id }: { id: number }) {
  const save = useMutation({
    mutationFn: () => saveReport(id),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <Button
      variant="outlined"
      startIcon={<DownloadOutlined />}
      loading={save.isPending}
      loadingPosition="start"
      onClick={() => save.mutate()}
    >
      Download report
    </Button>
  );
}
