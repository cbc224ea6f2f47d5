// Approve Virtual Number: requests and assigned numbers.
import Add from "@mui/icons-material/Add";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import Button from "@mui/material/Button";
import { useState } from "react";
import { SelectInput, useDataProvider } from "react-admin";
import type { components } from "../../api/schema";
import { usePart } from "../../design/part";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { ActionButton } from "../action";
import type { TalkdrumProvider } from "../dataProvider";
import { BulkAction } from "../list/bulk";
import { Phone, RowActions, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type VirtualNumber = components["schemas"]["VirtualNumber"];
type Assigning = { id: number; name: string } | "no-request" | null;

const STATUSES = [
  { id: "all", name: "All" },
  { id: "pending", name: "Requested" },
  { id: "approved", name: "Approved" },
];

const DELETED = "Virtual Number deleted successfully";

export default function VirtualNumberList() {
  const [assigning, setAssigning] = useState<Assigning>(null);
  const { Component: AssignDialog, want } = usePart(() => import("./AssignDialog"));
  const assign = async (to: Assigning) => {
    if (await want()) setAssigning(to);
  };
  return (
    <>
      <ResourceList
        title="Approve Virtual Number"
        text="Requests for a number, and the numbers that users have."
        actions={
          <Button variant="contained" startIcon={<Add />} onClick={() => void assign("no-request")}>
            Assign a number
          </Button>
        }
        filters={[
          <ListSearch key="q" source="q" alwaysOn label="Number or user name" />,
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
            title="No virtual numbers yet"
            text="No user has requested one. You can assign one without a request."
            action={{ label: "Assign a number", onClick: () => void assign("no-request") }}
          />
        }
      >
        <ResourceTable label="Virtual numbers" bulk={<DeleteMany />}>
          <Col<VirtualNumber>
            source="virtual_num"
            label="Number"
            sortable
            cell={(row) => <Phone value={row.virtual_num} />}
          />
          <Col<VirtualNumber>
            source="username"
            label="User"
            sortable
            cell={(row) => <UserLink id={row.user_id} name={row.username} />}
          />
          <Col<VirtualNumber> source="user_id" label="User ID" align="right" />
          <Col<VirtualNumber>
            source="status"
            label="Status"
            sortable
            cell={(row) => <StatusChip status={row.status} />}
          />
          <Col<VirtualNumber>
            source="created_at"
            label="Requested"
            sortable
            cell={(row) => <DateTime value={row.created_at} />}
          />
          <Col<VirtualNumber>
            source="id"
            label="Actions"
            actions
            cell={(row) => (
              <RowActions>
                {row.status === "pending" && (
                  <Button
                    size="small"
                    variant="outlined"
                    aria-label={`Assign a number to ${row.username}`}
                    onClick={() => void assign({ id: row.user_id, name: row.username })}
                  >
                    Assign
                  </Button>
                )}
                <Delete row={row} />
              </RowActions>
            )}
          />
        </ResourceTable>
      </ResourceList>
      {AssignDialog && assigning && (
        <AssignDialog
          user={assigning === "no-request" ? null : assigning}
          onClose={() => setAssigning(null)}
        />
      )}
    </>
  );
}

function Delete({ row }: { row: VirtualNumber }) {
  const number = row.virtual_num ? `+${row.virtual_num}` : null;
  return (
    <ActionButton
      resource="approve-virtualNumber"
      action="delete"
      target={{ id: row.id, data: undefined }}
      label="Delete"
      ariaLabel={number ? `Delete ${number}` : `Delete the request of ${row.username}`}
      danger
      done={DELETED}
      ask={{
        title: number ? `Delete ${number}?` : "Delete this request?",
        body: number
          ? `${row.username} loses the number at once; campaigns that are being sent from it pause. This cannot be undone.`
          : `${row.username} is given no number and has to ask again.`,
      }}
    />
  );
}

function DeleteMany() {
  const provider = useDataProvider<TalkdrumProvider>();
  return (
    <BulkAction<VirtualNumber>
      label="Delete"
      icon={<DeleteOutlined />}
      danger
      can={() => true}
      each={(row) => provider.act("approve-virtualNumber", "delete", { id: row.id, data: undefined })}
      title={(count) => (count === 1 ? "Delete 1 row?" : `Delete ${count} rows?`)}
      body={(rows) => {
        const numbers = rows.filter((it) => it.virtual_num).length;
        return `${numbers} assigned ${numbers === 1 ? "number is" : "numbers are"} taken from their users, and campaigns that are being sent from them pause; ${rows.length - numbers} ${rows.length - numbers === 1 ? "request is" : "requests are"} dropped. This cannot be undone.`;
      }}
      said={(count) => (count === 1 ? DELETED : `${count} deleted`)}
    />
  );
}
