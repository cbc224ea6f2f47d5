// /dashboard/voice-reports: calls to many, one row a campaign, newest first.
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link as To } from "react-router-dom";
import { api, ask } from "../../api/client";
import { balancesQuery, own } from "../../api/queries";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { useTableState } from "../../design/tableState";
import { DateTime } from "../../design/values";
import { VOICE_OUTCOME } from "../../design/voiceColumns";
import { againIn, Said, type VoiceReport } from "../../design/voiceReport";
import { RowMenu } from "./RowMenu";

const COLUMNS: Column<VoiceReport>[] = [
  { key: "message", label: "Message", width: "30%", cell: (row) => <Message row={row} /> },
  ...VOICE_OUTCOME,
  { key: "at", label: "Confirmed", phone: "plain", cell: (row) => <DateTime value={row.created_at} /> },
  {
    key: "actions",
    label: "Actions",
    align: "right",
    actions: true,
    cell: (row) => <RowMenu id={row.broadcastId} kind="voice" />,
  },
];

export default function VoiceReports() {
  const state = useTableState();
  const { page, per_page } = state.query;
  const result = useQuery({
    queryKey: own("campaigns", "voice", page, per_page),
    queryFn: async () => {
      const params = { query: { page, per_page } };
      const { "Voice-Sms": rows, total } = await ask(api.GET("/api/get-sent-voice-sms", { params }));
      return { rows, total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => againIn(data?.rows),
  });
  const going = result.data?.rows.filter((it) => it.status === "sending").length ?? 0;
  const client = useQueryClient();
  // What was reserved and not used is refunded as calls end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever fewer or more of them go on
  useEffect(() => void client.invalidateQueries({ queryKey: balancesQuery().queryKey }), [going, client]);
  return (
    <ListPage
      title="Voice Reports"
      text="Your calls, newest first. Open one for each call: who answered, who did not, and why."
      actions={
        <Button component={To} to="/dashboard/text-to-speech" variant="contained">
          New voice message
        </Button>
      }
      label="Voice reports"
      columns={COLUMNS}
      result={result}
      state={state}
      failure="Failed to fetch voice campaign history."
      empty={{
        title: "No calls yet",
        text: "Write or upload a voice message: you see the most it can cost before anything is charged.",
        action: { label: "Send a voice message", to: "/dashboard/text-to-speech" },
      }}
    />
  );
}

/** What was said, the way to its campaign's page, and the recording to be heard. */
function Message({ row }: { row: VoiceReport }) {
  return (
    <Said report={row}>
      <Link
        component={To}
        to={`/dashboard/campaigns/${row.broadcastId}`}
        sx={{
          fontWeight: 600,
          display: "-webkit-box",
          WebkitLineClamp: 2,
          WebkitBoxOrient: "vertical",
          overflow: "hidden",
          overflowWrap: "anywhere",
        }}
      >
        {row.msg || `Campaign ${row.broadcastId}`}
      </Link>
    </Said>
  );
}
