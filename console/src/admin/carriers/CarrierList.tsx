// All carriers, as they are now.
import { StatusChip } from "../../design/shown";
import { EmptyState } from "../../design/states";
import { Count, TwoLines } from "../list/cells";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { type Carrier, HEALTH_TONES, toneOf } from "./carrier";

type Row = Carrier & { id: string };

const FOLLOW_MS = 5_000;

export default function CarrierList() {
  return (
    <ResourceList
      title="Carriers"
      text="Who takes the messages, and how each fares. Read again every five seconds."
      refetchInterval={FOLLOW_MS}
      empty={
        <EmptyState
          title="No carrier is configured"
          text="Nothing can be sent. Add one to the configuration file."
        />
      }
    >
      <ResourceTable label="Carriers">
        <Col<Row>
          source="name"
          label="Carrier"
          cell={(row) => <TwoLines first={<b>{row.name}</b>} second={row.kind} />}
        />
        <Col<Row>
          source="health"
          label="Health"
          cell={(row) => (
            <TwoLines
              first={<StatusChip status={row.health} tone={toneOf(HEALTH_TONES, row.health)} />}
              second={row.reason}
            />
          )}
        />
        <Col<Row>
          source="window"
          label="Window"
          align="right"
          cell={(row) =>
            row.window === null || row.window === undefined ? "-" : <Count value={row.window} />
          }
        />
        <Col<Row>
          source="rate"
          label="Rate a second"
          align="right"
          cell={(row) => (row.rate === 0 ? "no bound" : <Count value={row.rate} />)}
        />
        <Col<Row>
          source="unmatched_receipts"
          label="Unmatched receipts"
          align="right"
          cell={(row) => <Count value={row.unmatched_receipts} />}
        />
        <Col<Row>
          source="unknown_messages"
          label="Unknown messages"
          align="right"
          cell={(row) => <Count value={row.unknown_messages} />}
        />
      </ResourceTable>
    </ResourceList>
  );
}
