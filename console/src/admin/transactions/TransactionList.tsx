// All transactions of all customers, newest first.
import Box from "@mui/material/Box";
import { useEffect, useRef } from "react";
import { NumberInput, SelectInput, TextInput, useListContext } from "react-admin";
import type { components } from "../../api/schema";
import { MoreEntries } from "../../design/MoreEntries";
import { currencyOf } from "../../design/money";
import { Signed } from "../../design/Signed";
import { USUAL } from "../../design/stacked";
import { EmptyState } from "../../design/states";
import { KIND_NAMES, kindOf } from "../../design/transactionKind";
import { DateTime, Money, StatusChip } from "../../design/values";
import { CampaignLink, Excerpt, TwoLines, UserLink } from "../list/cells";
import { DayFilter } from "../list/DayFilter";
import { useChangeFilters } from "../list/filters";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Transaction = components["schemas"]["Transaction"];

const named = (ids: readonly string[]) =>
  ids.map((id) => ({ id, name: id.charAt(0).toUpperCase() + id.slice(1) }));

const STATUSES = named(["successful", "pending", "failed", "expired", "mismatch"]);
export const CURRENCIES = [
  { id: "naira", name: "Naira" },
  { id: "espees", name: "ESPEES" },
];

const FILTERS = [
  <ListSearch key="q" source="q" alwaysOn label="Reference, narration or user name" />,
  <SelectInput key="kind" source="kind" label="Kind" choices={[...KIND_NAMES]} alwaysOn emptyText="All" />,
  <SelectInput key="status" source="status" label="Status" choices={STATUSES} emptyText="All" />,
  <SelectInput key="currency" source="currency" label="Currency" choices={CURRENCIES} emptyText="All" />,
  <TextInput key="user_id" source="user_id" label="User ID or name" />,
  <NumberInput key="campaign_id" source="campaign_id" label="Campaign" />,
  <DayFilter key="from" source="from" label="From" />,
  <DayFilter key="to" source="to" label="To" />,
];

export default function TransactionList() {
  return (
    <ResourceList
      title="All Transactions"
      failure="Failed to load transactions"
      text="Every movement of every wallet, and payments that are open or failed."
      filters={FILTERS}
      above={<Onwards />}
      empty={
        <EmptyState
          title="No transactions yet"
          text="They are listed as soon as a customer pays, or is credited by you."
        />
      }
    >
      <ResourceTable label="Transactions">
        <Col<Transaction>
          source="transaction_date"
          label="When"
          phone="plain"
          sortable
          cell={(row) => <DateTime value={row.transaction_date} />}
        />
        <Col<Transaction>
          source="username"
          label="User"
          phone="plain"
          cell={(row) => <UserLink id={row.user_id} name={row.username} />}
        />
        <Col<Transaction>
          source="narration"
          label="Narration"
          phone="title"
          cell={(row) => <TwoLines first={<Excerpt text={row.narration} />} second={row.payment_ref} />}
        />
        <Col<Transaction>
          source="kind"
          label="Kind"
          phone="plain"
          cell={(row) =>
            row.campaign_id ? (
              <TwoLines
                first={<Box sx={{ "@media (max-width: 639.95px)": { display: "none" } }}>{kindOf(row)}</Box>}
                second={
                  <>
                    campaign <CampaignLink id={row.campaign_id} />
                  </>
                }
              />
            ) : (
              kindOf(row)
            )
          }
        />
        <Col<Transaction>
          source="price"
          label="Amount"
          align="right"
          phone="figure"
          sortable
          cell={(row) => <Signed of={row} />}
        />
        <Col<Transaction>
          source="balance"
          label="Balance after"
          align="right"
          phone="hidden"
          cell={(row) =>
            row.balance === null || row.balance === undefined ? (
              "-"
            ) : (
              <Money value={row.balance} currency={currencyOf(row.currency)} />
            )
          }
        />
        <Col<Transaction>
          source="status"
          label="Status"
          phone="status"
          cell={(row) =>
            row.status === "successful" ? (
              <span {...USUAL}>
                <StatusChip status={row.status} tone="success" />
              </span>
            ) : (
              <TwoLines first={<StatusChip status={row.status} />} second={row.status_details} />
            )
          }
        />
      </ResourceTable>
    </ResourceList>
  );
}

/** The list reaches so many entries from its beginning: the way to those beyond. */
function Onwards() {
  const { meta, filterValues, sort } = useListContext();
  const change = useChangeFilters();
  const { beyond: since = "", ...others } = filterValues ?? {};
  const go = (beyond: number | null) => change({ beyond: beyond ?? "" });
  // Another order, search or filter is another list: it begins at its own beginning.
  const list = JSON.stringify([sort, others]);
  const seen = useRef(list);
  useEffect(() => {
    if (seen.current !== list && since !== "") go(null);
    seen.current = list;
  });
  const forward = sort.field === "transaction_date" && sort.order === "ASC";
  return <MoreEntries since={since} beyond={meta?.beyond} forward={forward} onGo={go} />;
}
