// Own numbers: phones of users, proven by a call, that their calls may come from. They can be withdrawn.
import { SelectInput } from "react-admin";
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { ActionButton } from "../action";
import { Phone, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type OwnNumber = components["schemas"]["OwnNumber"];

const STATUSES = [
  { id: "all", name: "All" },
  { id: "pending", name: "Pending" },
  { id: "verified", name: "Verified" },
];

export default function OwnNumberList() {
  return (
    <ResourceList
      title="Own Numbers"
      text="Phones of users that their calls may come from. Each is proven by a code in a call."
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
          title="No own numbers yet"
          text="A user's phone is listed once the code of its call came back."
        />
      }
    >
      <ResourceTable label="Own numbers">
        <Col<OwnNumber>
          source="phone_number"
          label="Number"
          cell={(row) => <Phone value={row.phone_number} />}
        />
        <Col<OwnNumber>
          source="username"
          label="User"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<OwnNumber> source="status" label="Status" cell={(row) => <StatusChip status={row.status} />} />
        <Col<OwnNumber>
          source="created_at"
          label="Since"
          sortable
          cell={(row) => <DateTime value={row.created_at} />}
        />
        <Col<OwnNumber> source="id" label="Actions" actions cell={(row) => <Withdraw row={row} />} />
      </ResourceTable>
    </ResourceList>
  );
}

function Withdraw({ row }: { row: OwnNumber }) {
  const number = `+${row.phone_number}`;
  return (
    <ActionButton
      resource="own-numbers"
      action="delete"
      target={{ id: row.id, data: undefined }}
      label="Withdraw"
      ariaLabel={`Withdraw ${number} of ${row.username}`}
      danger
      ask={{
        title: `Withdraw ${number}?`,
        body: `No more calls of ${row.username} show it, and campaigns that call from it pause. The owner is told, and can verify it again.`,
      }}
    />
  );
}
