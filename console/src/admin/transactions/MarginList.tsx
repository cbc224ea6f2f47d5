// Margins: by day, carrier and network what customers paid, what the carrier costs and what is left; with the segments
// that the carrier's invoice counts.
import { TextInput } from "react-admin";
import type { components } from "../../api/schema";
import { currencyOf } from "../../design/money";
import { networkName } from "../../design/network";
import { EmptyState } from "../../design/states";
import { WholeMoney } from "../../design/values";
import { Count } from "../list/cells";
import { DayFilter } from "../list/DayFilter";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Margin = components["schemas"]["Margin"] & { id: string };

const FILTERS = [
  <DayFilter key="from" source="from" label="From" alwaysOn />,
  <DayFilter key="to" source="to" label="To" alwaysOn />,
  <TextInput key="carrier" source="carrier" label="Carrier" />,
  <TextInput key="network" source="network" label="Network" />,
];

export default function MarginList() {
  return (
    <ResourceList
      title="Margins"
      text="By day in Lagos, carrier and network. Costs are those of the configuration file; segments are what the carrier's invoice counts."
      filters={FILTERS}
      empty={
        <EmptyState
          title="No traffic yet"
          text="Half a minute after the first messages are sent, they are counted here."
        />
      }
    >
      <ResourceTable label="Margins">
        <Col<Margin> source="day" label="Day" cell={(row) => <time dateTime={row.day}>{row.day}</time>} />
        <Col<Margin> source="carrier" label="Carrier" />
        <Col<Margin> source="network" label="Network" cell={(row) => networkName(row.network)} />
        <Col<Margin>
          source="messages"
          label="Messages"
          align="right"
          cell={(row) => <Count value={row.messages} />}
        />
        <Col<Margin>
          source="segments"
          label="Segments"
          align="right"
          cell={(row) => <Count value={row.segments} />}
        />
        <Col<Margin>
          source="revenue"
          label="Revenue"
          align="right"
          cell={(row) => <WholeMoney value={row.revenue} currency={currencyOf(row.currency)} />}
        />
        <Col<Margin>
          source="cost"
          label="Cost"
          align="right"
          cell={(row) => <Given value={row.cost} currency={row.cost_currency} none="No price given" />}
        />
        <Col<Margin>
          source="margin"
          label="Margin"
          align="right"
          cell={(row) => <Given value={row.margin} currency={row.currency} none="-" />}
        />
      </ResourceTable>
    </ResourceList>
  );
}

interface GivenProps {
  value: number | null | undefined;
  currency: string | null | undefined;
  none: string;
}

function Given({ value, currency, none }: GivenProps) {
  if (value === null || value === undefined) return <span>{none}</span>;
  return <WholeMoney value={value} currency={currencyOf(currency)} />;
}
