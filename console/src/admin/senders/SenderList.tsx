// Approve Sender IDs: every request with its owner, filterable by status; one by one or several at once.
import Block from "@mui/icons-material/Block";
import Check from "@mui/icons-material/Check";
import Button from "@mui/material/Button";
import { useState } from "react";
import { SelectInput, useDataProvider } from "react-admin";
import { ApiProblem, messageOf } from "../../api/problem";
import { PURPOSES } from "../../design/purpose";
import { EmptyState } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, None, StatusChip } from "../../design/values";
import { ActionButton, useAction } from "../action";
import type { TalkdrumProvider } from "../dataProvider";
import { PurposeDialog } from "../form/PurposeDialog";
import { BulkAction, Progress, SkippedRows, useBulkRun } from "../list/bulk";
import { RowActions, TwoLines, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { useSelectedRows } from "../list/selection";
import { RejectDialog } from "./RejectDialog";
import { canApprove, canReject, type SenderId } from "./transitions";

const STATUSES = [
  { id: "all", name: "All" },
  { id: "pending", name: "Pending" },
  { id: "approved", name: "Approved" },
  { id: "disapproved", name: "Disapproved" },
];

const APPROVED = "Sender ID approved successfully!";
const REJECTED = "Sender ID rejected successfully!";

export default function SenderList() {
  return (
    <ResourceList
      title="Approve Sender IDs"
      failure="Failed to load sender IDs."
      text="What customers want their messages to say they are from. Owners are told of every decision."
      filters={[
        <ListSearch key="q" source="q" alwaysOn label="Sender ID or user name" />,
        <SelectInput
          key="status"
          source="status"
          label="Status"
          choices={STATUSES}
          alwaysOn
          emptyText="All"
        />,
      ]}
      empty={
        <EmptyState
          title="No sender ID was requested yet"
          text="When a customer asks for one it is listed here, and on the first page of the administration."
        />
      }
    >
      <ResourceTable
        label="Sender IDs"
        bulk={
          <>
            <ApproveMany />
            <RejectMany />
          </>
        }
      >
        <Col<SenderId> source="sender_id" label="Sender ID" sortable cell={(row) => <b>{row.sender_id}</b>} />
        <Col<SenderId>
          source="username"
          label="User"
          sortable
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<SenderId>
          source="status"
          label="Status"
          sortable
          cell={(row) =>
            row.reason ? (
              <TwoLines first={<StatusChip status={row.status} />} second={row.reason} />
            ) : (
              <StatusChip status={row.status} />
            )
          }
        />
        <Col<SenderId>
          source="purpose"
          label="Messages are for"
          cell={(row) => (row.purpose ? PURPOSES[row.purpose].name : <None />)}
        />
        <Col<SenderId>
          source="created_at"
          label="Requested"
          sortable
          cell={(row) => <DateTime value={row.created_at} />}
        />
        <Col<SenderId>
          source="decided_at"
          label="Decided"
          cell={(row) => <DateTime value={row.decided_at} />}
        />
        <Col<SenderId>
          source="id"
          label="Actions"
          actions
          cell={(row) => (
            <RowActions>
              <ActionButton
                resource="approve-sender-id"
                action="approve"
                target={{ id: row.id, data: undefined }}
                label="Approve"
                ariaLabel={`Approve ${row.sender_id}`}
                disabled={!canApprove(row)}
                done={APPROVED}
                failed="Failed to approve sender ID."
              />
              <Reject row={row} />
              <SetPurpose row={row} />
            </RowActions>
          )}
        />
      </ResourceTable>
    </ResourceList>
  );
}

function paused(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " 1 campaign was paused." : ` ${count} campaigns were paused.`;
}

function Reject({ row }: { row: SenderId }) {
  const [open, setOpen] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const rejecting = useAction("approve-sender-id", "reject", {
    done: REJECTED,
    onDone: ({ campaigns_paused }) => {
      setOpen(false);
      if (campaigns_paused > 0) toast.info(paused(campaigns_paused).trim());
    },
    onFailed: (problem, toasts) => {
      const reason = problem instanceof ApiProblem ? problem.field("reason") : undefined;
      setRefused(reason ?? null);
      if (!reason) toasts.error("Failed to reject sender ID.");
      toasts.error(messageOf(problem));
    },
  });
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        color="error"
        aria-label={`Reject ${row.sender_id}`}
        disabled={!canReject(row)}
        onClick={() => setOpen(true)}
      >
        Reject
      </Button>
      {open && (
        <RejectDialog
          open
          rows={[row]}
          busy={rejecting.isPending}
          refused={refused}
          onReject={(reason) => rejecting.mutate({ id: row.id, data: { reason } })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function SetPurpose({ row }: { row: SenderId }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-label={`Purpose of ${row.sender_id}`}
        onClick={() => setOpen(true)}
      >
        Purpose
      </Button>
      {open && (
        <PurposeDialog
          resource="sender-purpose"
          id={row.id}
          name={row.sender_id}
          purpose={row.purpose ?? null}
          text="For messages from it that do not say it, nor their API key. It comes before what the account says."
          none="As set for the account"
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const some = (count: number) => (count === 1 ? "1 sender ID" : `${count} sender IDs`);

function ApproveMany() {
  const provider = useDataProvider<TalkdrumProvider>();
  return (
    <BulkAction<SenderId>
      label="Approve"
      icon={<Check />}
      can={canApprove}
      each={(row) => provider.act("approve-sender-id", "approve", { id: row.id, data: undefined })}
      title={(count) => `Approve ${some(count)}?`}
      body={(rows) => (
        <>
          Their owners can send from {rows.length === 1 ? "it" : "them"} at once:{" "}
          {rows.map((it) => it.sender_id).join(", ")}.
        </>
      )}
      said={(count) => (count === 1 ? APPROVED : `${some(count)} approved`)}
    />
  );
}

function RejectMany() {
  const [open, setOpen] = useState(false);
  const provider = useDataProvider<TalkdrumProvider>();
  const chosen = useSelectedRows<SenderId>();
  const rows = chosen.filter(canReject);
  const running = useBulkRun<SenderId>(
    (count) => (count === 1 ? REJECTED : `${some(count)} rejected`),
    () => setOpen(false),
  );
  return (
    <>
      <Button
        size="small"
        color="error"
        startIcon={<Block />}
        disabled={rows.length === 0}
        onClick={() => setOpen(true)}
      >
        Reject
      </Button>
      {open && (
        <RejectDialog
          open
          rows={rows}
          busy={running.busy}
          onReject={(reason) =>
            running.start(rows, (row) =>
              provider.act("approve-sender-id", "reject", { id: row.id, data: { reason } }),
            )
          }
          onClose={() => setOpen(false)}
        >
          <SkippedRows count={chosen.length - rows.length} />
          {running.busy && <Progress done={running.done} of={rows.length} />}
        </RejectDialog>
      )}
    </>
  );
}
