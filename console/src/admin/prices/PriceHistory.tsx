import { SelectInput } from "react-admin";
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { DateTime, UnitPrice } from "../../design/values";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import type { PriceName } from "./PriceSetting";

type Change = components["schemas"]["PriceChange"];

const NAMES: Record<PriceName, string> = {
  "SMS-UNIT-PRICE": "SMS, ESPEES",
  "SMS-UNIT-PRICE-IN-NAIRA": "SMS, Naira",
  "SMS-ABROAD-UNIT-PRICE": "SMS abroad, ESPEES",
  "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": "SMS abroad, Naira",
  "VOICE-UNIT-PRICE": "Voice, ESPEES",
  "VOICE-UNIT-PRICE-NAIRA": "Voice, Naira",
  "VIRTUAL-UNIT-PRICE": "Virtual number, ESPEES",
  "OWN-UNIT-PRICE": "Own number, ESPEES",
};

const named = (price: string) => NAMES[price as PriceName] ?? price;

/** Who changed the prices of a page, when, from what to what. */
export function PriceHistory({ prices }: { prices: readonly [PriceName, ...PriceName[]] }) {
  const several = prices.length > 1;
  return (
    <ResourceList
      section
      resource="price-history"
      title="Price history"
      storeKey={`price-history.${prices[0]}`}
      filter={several ? undefined : { price: prices[0] }}
      filterDefaultValues={several ? { price: prices[0] } : undefined}
      tabbed="price"
      filters={
        several
          ? [
              <SelectInput
                key="price"
                source="price"
                label="Price"
                alwaysOn
                emptyText="All prices"
                choices={prices.map((id) => ({ id, name: named(id) }))}
              />,
            ]
          : undefined
      }
      empty={
        <EmptyState
          title="No change yet"
          text="Set a price above: who changed it, and from what, is kept here."
        />
      }
    >
      <ResourceTable label="Price history">
        <Col<Change> source="at" label="When" cell={(row) => <DateTime value={row.at} />} />
        <Col<Change> source="price" label="Price" cell={(row) => named(row.price)} />
        <Col<Change>
          source="before"
          label="From"
          align="right"
          cell={(row) => <Amount price={row.price} value={row.before} />}
        />
        <Col<Change>
          source="after"
          label="To"
          align="right"
          cell={(row) => <Amount price={row.price} value={row.after} />}
        />
        <Col<Change> source="username" label="By" cell={(row) => row.username ?? "-"} />
      </ResourceTable>
    </ResourceList>
  );
}

function Amount({ price, value }: { price: string; value: string | number | null | undefined }) {
  if (value === null || value === undefined) return <>not set</>;
  return <UnitPrice value={value} currency={price.includes("NAIRA") ? "naira" : "espees"} />;
}
