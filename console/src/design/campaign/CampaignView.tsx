// One campaign as it goes, what became of it, what it cost, and each of its messages. Its customer and administrators see
// the same page; what differs is where its links lead and what can be done to it.
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiProblem, messageOf } from "../../api/problem";
import { PageHeader } from "../PageHeader";
import { callerName, wordsOf } from "../sendWords";
import { ErrorState, PageSkeleton } from "../states";
import { toast } from "../toasts";
import { Answers } from "./Answers";
import { Breakdowns } from "./Breakdowns";
import { Costs } from "./Costs";
import { FigureStrip } from "./FigureStrip";
import { FirstRecipients } from "./FirstRecipients";
import { useCampaign } from "./live";
import { type Campaign, kindName } from "./outcomes";
import { Progress } from "./Progress";
import { Recipients } from "./Recipients";
import { saveReport } from "./reports";
import { SentText } from "./SentText";

/** Whose page it is: where it leads to, and what stands on it beside what both roles see. */
export interface CampaignRoom {
  /** The list that the campaign is of. */
  back: { to: string; label: string };
  /** Pause, resume, cancel, and what else this role may do. */
  actions: ReactNode;
  /** Whose it is, where that is not the viewer. */
  owner?: ReactNode;
  /** What is to be done before all else. */
  notice?: ReactNode;
  /** Where a message is explained. */
  messageAddress: (id: number) => string;
  /** Where a number is looked for over all campaigns. */
  numberAddress: (number: string) => string;
  /** Where a list of its recipients, as the daemon names it, is sent to; where the viewer may. */
  sendAddress?: (list: string) => string;
  /** Where each entry of its money is. */
  moneyAddress: string;
}

interface Props {
  id: number;
  room: (campaign: Campaign) => CampaignRoom;
  /** There is none by this number, or it is another's. */
  missing: ReactNode;
}

export function CampaignView({ id, room, missing }: Props) {
  const { data: campaign, error, isError, refetch, pace } = useCampaign(id);
  if (!campaign) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) return missing;
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <PageSkeleton />;
  }
  const here = room(campaign);
  return (
    <>
      <PageHeader
        title={`Campaign ${campaign.id}`}
        text={
          <>
            {nameOf(campaign)}
            {here.owner && <>, of {here.owner}</>}
          </>
        }
        back={here.back}
        actions={
          <>
            {here.actions}
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
      {here.notice}
      <FigureStrip campaign={campaign} />
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
          <FirstRecipients campaign={campaign} />
          <Progress campaign={campaign} pace={pace} />
          <Answers campaign={campaign} />
          <Breakdowns campaign={campaign} sendAddress={here.sendAddress} />
        </Box>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <SentText campaign={campaign} />
          <Costs campaign={campaign} entries={here.moneyAddress} />
        </Box>
      </Box>
      <Recipients
        campaign={campaign}
        messageAddress={here.messageAddress}
        numberAddress={here.numberAddress}
        sendAddress={here.sendAddress}
      />
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
