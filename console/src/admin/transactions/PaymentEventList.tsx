// Refunds and disputes, as the provider told of them. No money moves by them: a person decides.
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { DateTime } from "../../design/values";
import { TwoLines, UserLink } from "../list/cells";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type PaymentEvent = components["schemas"]["PaymentEvent"];

export default function PaymentEventList() {
  return (
    <ResourceList
      title="Refunds and Disputes"
      text="What the payment provider told of. No wallet changes by it: decide, and correct the wallet by hand where it is due."
      empty={
        <EmptyState
          title="No refunds and no disputes"
          text="When the provider tells of one it is listed here."
        />
      }
    >
      <ResourceTable label="Refunds and disputes">
        <Col<PaymentEvent>
          source="received_at"
          label="Received"
          cell={(row) => <DateTime value={row.received_at} />}
        />
        <Col<PaymentEvent>
          source="event"
          label="Event"
          cell={(row) => <TwoLines first={row.event} second={row.provider} />}
        />
        <Col<PaymentEvent> source="summary" label="Summary" />
        <Col<PaymentEvent> source="reference" label="Reference" cell={(row) => row.reference ?? "-"} />
        <Col<PaymentEvent>
          source="username"
          label="User"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
      </ResourceTable>
    </ResourceList>
  );
}
