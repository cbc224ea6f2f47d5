import { SelectInput } from "react-admin";
import type { components } from "../../api/schema";
import type { Currency } from "../../design/money";
import { destinationName } from "../../design/rate";
import { EmptyState } from "../../design/states";
import { DateTime, UnitPrice } from "../../design/values";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import type { PriceName } from "./PriceSetting";
import { CURRENCY_WORDS } from "./rateList";
import { FOR_ALL, listLabel } from "./rateLists";

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

/** A rate's name in the history: its plan, if it is of one, where to, what for, and the currency last. */
const RATE = /^RATE (?:([a-z0-9_-]+) )?\+(\d+)(?: (\S+))?(?: for (\S+))? (?:espees|naira)$/;
/** What those of a list have, and others have not. */
const searchOf = (list: string) => (list === FOR_ALL ? "RATE +" : `RATE ${list} +`);

const currencyOfPrice = (price: string): Currency => (/naira$/i.test(price) ? "naira" : "espees");

function named(price: string): string {
  const [, plan, prefix, network, purpose] = RATE.exec(price) ?? [];
  if (!prefix) return NAMES[price as PriceName] ?? price;
  const rate = `${destinationName({ prefix, network, purpose })}, ${CURRENCY_WORDS[currencyOfPrice(price)]}`;
  return plan ? `${listLabel(plan)}: ${rate}` : rate;
}

/** Who changed the prices of a page, or the rates of a list, when, from what to what. */
export function PriceHistory(props: { prices: readonly [PriceName, ...PriceName[]] } | { rates: string }) {
  const search = "rates" in props ? searchOf(props.rates) : null;
  const prices = "rates" in props ? ([] as const) : props.prices;
  const several = prices.length > 1;
  return (
    <ResourceList
      section
      resource="price-history"
      title="Price history"
      storeKey={`price-history.${prices[0] ?? "rates"}`}
      filter={several ? undefined : search !== null ? { q: search } : { price: prices[0] }}
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
  return <UnitPrice value={value} currency={currencyOfPrice(price)} />;
}
