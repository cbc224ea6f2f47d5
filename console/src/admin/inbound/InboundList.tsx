// What handsets sent to virtual numbers and answered to messages, newest first, and what it did.
import type { components } from "../../api/schema";
import { InboundEffect, InboundText } from "../../design/inbound";
import { EmptyState } from "../../design/states";
import { DateTime } from "../../design/values";
import { Phone, UserLink } from "../list/cells";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Inbound = components["schemas"]["InboundMessage"];

export default function InboundList() {
  return (
    <ResourceList
      title="Inbound Messages"
      text="What handsets sent to virtual numbers, and answered to messages. STOP opts its number out of the customer's advertising, STOP ALL out of everything but codes, and START takes either back."
      filters={[<ListSearch key="q" source="q" alwaysOn label="Number or text" />]}
      refetchInterval={15_000}
      empty={
        <EmptyState
          title="Nothing came in yet"
          text="A carrier has to hand on what handsets send to your numbers. What comes is listed here."
        />
      }
    >
      <ResourceTable label="Inbound messages">
        <Col<Inbound>
          source="received_at"
          label="Received"
          cell={(row) => <DateTime value={row.received_at} />}
        />
        <Col<Inbound> source="from" label="From" cell={(row) => <Phone value={row.from} />} />
        <Col<Inbound> source="to" label="To" cell={(row) => <Phone value={row.to} />} />
        <Col<Inbound> source="text" label="Text" cell={(row) => <InboundText of={row} />} />
        <Col<Inbound> source="action" label="Effect" cell={(row) => <InboundEffect of={row} />} />
        <Col<Inbound>
          source="user_id"
          label="User"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<Inbound> source="carrier" label="Carrier" />
      </ResourceTable>
    </ResourceList>
  );
}
