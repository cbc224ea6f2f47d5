// One webhook with its log: what was sent, what was answered, what is tried again; deliveries can be made again.
import Alert from "@mui/material/Alert";
import FormControl from "@mui/material/FormControl";
import NativeSelect from "@mui/material/NativeSelect";
import OutlinedInput from "@mui/material/OutlinedInput";
import { useQuery } from "@tanstack/react-query";
import { useGetOne } from "react-admin";
import { useParams } from "react-router-dom";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { ActionButton } from "../action";
import { addressOf } from "../address";
import { NotFound } from "../layout/NotFound";
import { TwoLines, UserLink } from "../list/cells";

type Webhook = components["schemas"]["Webhook"];
type Delivery = components["schemas"]["WebhookDelivery"];
type Status = "" | "pending" | "delivered" | "failed";

const STATUSES: readonly Status[] = ["pending", "delivered", "failed"];

export default function WebhookPage() {
  const { id = "" } = useParams();
  const whole = /^\d+$/.test(id);
  const { data, error, refetch } = useGetOne<Webhook>("webhooks", { id: Number(id) }, { enabled: whole });
  if (!whole || (!data && error instanceof ApiProblem && error.status === 404)) return <NotFound />;
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={`Webhook #${data.id}`}
        back={{ to: addressOf("webhooks"), label: "All webhooks" }}
        text={
          <>
            <StatusChip status={data.is_active ? "active" : "inactive"} />{" "}
            <span style={{ overflowWrap: "anywhere" }}>{data.url}</span> of{" "}
            <UserLink id={data.user_id} name={data.username} />. The log is kept for 30 days.
          </>
        }
        actions={
          <ActionButton
            resource="webhooks"
            action="redeliverFailed"
            target={{ id: data.id, data: undefined }}
            label="Deliver all failed again"
            size="medium"
            ask={{
              title: "Deliver all failed again?",
              body: "Up to 1,000 deliveries that were given up are made again now, oldest first. Do it after the receiver was mended.",
              confirm: "Deliver again",
            }}
          />
        }
      />
      {data.inactive_reason && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {data.inactive_reason}
        </Alert>
      )}
      <Log webhook={data} />
    </>
  );
}

function Log({ webhook: { id } }: { webhook: Webhook }) {
  const state = useTableState({ filters: ["status"] });
  const status = STATUSES.find((it) => it === state.filters.status) ?? "";
  const result = useQuery({
    queryKey: own("webhook-deliveries", id, status, state.query),
    queryFn: async () => {
      const { page, per_page } = state.query;
      const query = { page, per_page, ...(status ? { status } : {}) };
      const answer = await ask(api.GET("/api/webhooks/{id}/deliveries", { params: { path: { id }, query } }));
      return { rows: answer.deliveries, total: answer.total };
    },
    placeholderData: (before) => before,
  });
  return (
    <DataTable
      label="Deliveries"
      columns={columns(id)}
      rowKey={(row) => row.id}
      result={result}
      state={state}
      toolbar={
        <FormControl>
          <NativeSelect
            input={<OutlinedInput size="small" />}
            inputProps={{ "aria-label": "Status" }}
            value={status}
            onChange={(event) => state.setFilter("status", event.target.value)}
          >
            <option value="">All deliveries</option>
            <option value="pending">Pending</option>
            <option value="delivered">Delivered</option>
            <option value="failed">Failed</option>
          </NativeSelect>
        </FormControl>
      }
      empty={
        <EmptyState
          title={status ? "No delivery has this status" : "Nothing was delivered yet"}
          text={
            status
              ? "Choose another status to see the others."
              : "A delivery is listed when the first event happens that this webhook receives."
          }
        />
      }
    />
  );
}

function columns(webhook: number): Column<Delivery>[] {
  return [
    { key: "created_at", label: "Happened", cell: (row) => <DateTime value={row.created_at} /> },
    {
      key: "type",
      label: "Event",
      cell: (row) => <TwoLines first={row.type} second={row.event_id} />,
    },
    {
      key: "status",
      label: "Status",
      cell: (row) => (
        <TwoLines
          first={<StatusChip status={row.status} />}
          second={row.attempts === 1 ? "1 attempt" : `${row.attempts} attempts`}
        />
      ),
    },
    {
      key: "answer",
      label: "Last answer",
      cell: (row) => <TwoLines first={row.answer ?? "None"} second={row.note} />,
    },
    { key: "tried_at", label: "Tried", cell: (row) => <DateTime value={row.tried_at} /> },
    { key: "next_attempt_at", label: "Tried next", cell: (row) => <DateTime value={row.next_attempt_at} /> },
    {
      key: "again",
      label: "Actions",
      actions: true,
      cell: (row) => (
        <ActionButton
          resource="webhooks"
          action="redeliver"
          target={{ id: webhook, data: { delivery: row.id } }}
          label="Deliver again"
          ariaLabel={`Deliver again: ${row.type}, ${row.event_id}`}
        />
      ),
    },
  ];
}
