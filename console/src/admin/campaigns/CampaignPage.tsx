// One campaign: where its messages are, where its money is, what can be done to it, and every message.

import Download from "@mui/icons-material/FileDownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useGetOne } from "react-admin";
import { Link, useParams } from "react-router-dom";
import { api, download } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { chargeFacts } from "../../design/CampaignCost";
import { currencyOf } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { callerName, wordsOf } from "../../design/sendWords";
import { ErrorState, PageSkeleton } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, Money, StatusChip } from "../../design/values";
import { addressOf, filtered } from "../address";
import { NotFound } from "../layout/NotFound";
import { UserLink } from "../list/cells";
import { CampaignActions } from "./CampaignActions";
import { CampaignMessages } from "./CampaignMessages";
import { type Campaign, isOpen } from "./campaign";
import { StatusBreakdown } from "./StatusBreakdown";

const FOLLOW_MS = 3_000;

export default function CampaignPage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useGetOne<Campaign>(
    "campaign-history",
    { id: Number(id) },
    {
      enabled: /^\d+$/.test(id),
      refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? FOLLOW_MS : false),
    },
  );
  if (!/^\d+$/.test(id)) return <NotFound />;
  if (!data && error instanceof ApiProblem && error.status === 404) return <NotFound />;
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return <CampaignView campaign={data} />;
}

function CampaignView({ campaign }: { campaign: Campaign }) {
  const exporting = useMutation({
    mutationFn: () =>
      download(
        api.GET("/api/campaigns/{id}/export", { params: { path: { id: campaign.id } }, parseAs: "blob" }),
        `campaign-${campaign.id}.csv`,
      ),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const { unknown } = campaign.counts;
  const words = wordsOf(campaign.sms_type);
  return (
    <>
      <PageHeader
        title={`Campaign #${campaign.id}`}
        back={{ to: addressOf("campaign-history"), label: "All campaigns" }}
        text={
          <>
            <StatusChip status={campaign.status} /> of{" "}
            <UserLink id={campaign.user_id} name={campaign.username} />,{" "}
            {words.isCall ? "calls from" : "sent as"}{" "}
            <b>{words.isCall ? callerName(campaign.senderid) : campaign.senderid}</b>
          </>
        }
        actions={
          <>
            <CampaignActions campaign={campaign} size="medium" />
            <Button
              variant="outlined"
              color="inherit"
              startIcon={<Download />}
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              Export
            </Button>
          </>
        }
      />
      {campaign.status_reason && (
        <Alert severity={campaign.status === "failed" ? "error" : "info"} sx={{ mb: 2 }}>
          {campaign.status_reason}
        </Alert>
      )}
      {unknown > 0 && (
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
      )}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          mb: 3,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 3fr) minmax(0, 2fr)" },
          alignItems: "start",
        }}
      >
        <StatusBreakdown counts={campaign.counts} total={campaign.total_contacts} kind={campaign.sms_type} />
        <Facts campaign={campaign} />
      </Box>
      <CampaignMessages campaign={campaign} />
    </>
  );
}

function Facts({ campaign }: { campaign: Campaign }) {
  const currency = currencyOf(campaign.currency);
  return (
    <Card component="section" aria-label="About the campaign" sx={{ p: 2.5 }}>
      <Typography
        sx={{
          mb: 2,
          p: 1.5,
          bgcolor: "action.hover",
          borderRadius: 1,
          overflowWrap: "anywhere",
          whiteSpace: "pre-wrap",
        }}
      >
        {campaign.msg || "No text"}
      </Typography>
      <Box
        component="dl"
        sx={{ display: "grid", gridTemplateColumns: "auto 1fr", columnGap: 2, rowGap: 0.75, m: 0 }}
      >
        <Fact name="Type">{campaign.sms_type}</Fact>
        {chargeFacts(campaign).map((it) => (
          <Fact key={it.name} name={it.name}>
            <Money value={it.value} currency={currency} />
          </Fact>
        ))}
        <Fact name="Confirmed">
          <DateTime value={campaign.created_at} />
        </Fact>
        {campaign.scheduled_at && (
          <Fact name="Scheduled for">
            <DateTime value={campaign.scheduled_at} />
          </Fact>
        )}
        <Fact name="Started">
          <DateTime value={campaign.started_at} none="Not yet" />
        </Fact>
        <Fact name="Completed">
          <DateTime value={campaign.completed_at} none="Not yet" />
        </Fact>
      </Box>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, textAlign: "right" }}>
        {children}
      </Typography>
    </>
  );
}
