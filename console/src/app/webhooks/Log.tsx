// What a webhook was told in the last 30 days, and what it answered.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { Choice } from "../../design/Choice";
import { type Column, DataTable } from "../../design/DataTable";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, StatusChip } from "../../design/values";
import { DeliveryDialog } from "./DeliveryDialog";
import {
  answerOf,
  type Delivery,
  deliveriesQuery,
  LOG_STATUSES,
  useInvalidateWebhooks,
  type Webhook,
} from "./webhooks";

export function Log({ webhook }: { webhook: Webhook }) {
  const state = useTableState({ filters: ["status"] });
  const status = state.filters.status ?? "";
  const changed = useInvalidateWebhooks();
  const result = useQuery(
    deliveriesQuery(webhook.id, { page: state.page, per_page: state.perPage, ...(status ? { status } : {}) }),
  );
  const [shown, setShown] = useState<Delivery | null>(null);
  const again = useMutation({
    mutationFn: () =>
      ask(api.POST("/api/webhooks/{id}/redeliver-failed", { params: { path: { id: webhook.id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await changed();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });

  const columns: Column<Delivery>[] = [
    { key: "when", label: "When", cell: (it) => <DateTime value={it.created_at} /> },
    { key: "event", label: "Event", cell: (it) => it.type },
    { key: "status", label: "Status", cell: (it) => <StatusChip status={it.status} /> },
    { key: "attempts", label: "Attempts", align: "right", cell: (it) => it.attempts },
    {
      key: "answer",
      label: "Answer",
      cell: (it) => <Box sx={{ overflowWrap: "anywhere", maxWidth: 320 }}>{answerOf(it)}</Box>,
    },
    {
      key: "show",
      label: "Details",
      align: "right",
      actions: true,
      cell: (it) => (
        <Button size="small" onClick={() => setShown(it)} aria-label={`Details of ${it.event_id}`}>
          Details
        </Button>
      ),
    },
  ];

  return (
    <Box component="section" aria-labelledby="log">
      <Typography id="log" variant="h2" sx={{ mb: 1.5 }}>
        Log
      </Typography>
      <DataTable
        label="What it was told"
        columns={columns}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        toolbar={
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: "wrap", justifyContent: "space-between" }}>
            <Box sx={{ flex: "0 1 200px" }}>
              <Choice
                label="Status"
                value={status}
                onChange={(it) => state.setFilter("status", it)}
                options={LOG_STATUSES}
              />
            </Box>
            <Button loading={again.isPending} onClick={() => again.mutate()}>
              Deliver all failed again
            </Button>
          </Stack>
        }
        empty={
          <EmptyState
            title={status ? "Nothing with this status" : "No deliveries yet"}
            text="Send a test event to check that your server receives it."
          />
        }
      />
      {shown && <DeliveryDialog webhook={webhook} delivery={shown} onClose={() => setShown(null)} />}
    </Box>
  );
}
