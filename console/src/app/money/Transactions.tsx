// Every movement of both wallets, and the payments that failed.
import Close from "@mui/icons-material/Close";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Choice } from "../../design/Choice";
import { type Column, DataTable } from "../../design/DataTable";
import { DateInput } from "../../design/DateInput";
import { MoreEntries } from "../../design/MoreEntries";
import { currencyOf } from "../../design/money";
import { PageHeader } from "../../design/PageHeader";
import { SearchField } from "../../design/SearchField";
import { Signed } from "../../design/Signed";
import { USUAL } from "../../design/stacked";
import { EmptyState } from "../../design/states";
import { type TableState, useTableState } from "../../design/tableState";
import { kindOf } from "../../design/transactionKind";
import { DateTime, Money, StatusChip } from "../../design/values";
import { ExplainDialog } from "./ExplainDialog";
import { BEYOND, CURRENCIES, FILTERS, historyQuery, KINDS, STATUSES, type Transaction } from "./history";

export default function Transactions() {
  const state = useHistoryState();
  const goOn = (beyond: number | null) =>
    state.setFilters({ [BEYOND]: beyond === null ? "" : String(beyond) });
  const result = useQuery(historyQuery(state));
  const [asked, setAsked] = useState<Transaction | null>(null);
  const filtered = state.q !== "" || Object.values(state.filters).some((it) => it !== "");

  const columns: Column<Transaction>[] = [
    {
      key: "date",
      label: "Date",
      phone: "plain",
      sort: "transaction_date",
      cell: (it) => <DateTime value={it.transaction_date} />,
    },
    {
      key: "what",
      label: "Transaction",
      phone: "title",
      cell: (it) => (
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {kindOf(it)}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            {it.narration}
          </Typography>
        </Box>
      ),
    },
    {
      key: "amount",
      label: "Amount",
      align: "right",
      phone: "figure",
      sort: "price",
      cell: (it) => <Signed of={it} />,
    },
    {
      key: "balance",
      label: "Balance after",
      align: "right",
      // The details have it.
      phone: "hidden",
      cell: (it) =>
        it.balance == null ? "-" : <Money value={it.balance} currency={currencyOf(it.currency)} />,
    },
    {
      key: "status",
      label: "Status",
      phone: "status",
      cell: (it) => (
        <span {...(it.status === "successful" && USUAL)}>
          <StatusChip status={it.status} tone={TONES[it.status]} />
        </span>
      ),
    },
    {
      key: "why",
      label: "Details",
      align: "right",
      actions: true,
      cell: (it) => (
        <Button
          size="small"
          onClick={() => setAsked(it)}
          aria-label={`${it.direction === "debit" ? "Why was I charged" : "Details"}: ${it.narration || it.payment_ref}`}
        >
          {it.direction === "debit" ? "Why?" : "Details"}
        </Button>
      ),
    },
  ];

  return (
    <>
      <PageHeader title="Transaction History" text="Every movement of your money, each with its reason." />
      <MoreEntries
        since={state.filters[BEYOND] ?? ""}
        beyond={result.data?.beyond}
        forward={state.order === "asc" && state.sort !== "price"}
        onGo={goOn}
      />
      <DataTable
        label="Transactions"
        columns={columns}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        failure="Failed to load transactions"
        toolbar={<SearchField label="Search reference or narration" value={state.q} onSearch={state.setQ} />}
        filters={{ inputs: <Filters state={state} />, names: FILTERS }}
        empty={
          filtered ? (
            <EmptyState
              title="No transaction matches"
              text="Change the filters, or look for another reference."
              action={{ label: "Show all transactions", onClick: () => clear(state) }}
            />
          ) : (
            <EmptyState
              title="No transactions yet"
              text="Fund your account: the payment and everything it pays for is listed here."
              action={{ label: "Fund ESPEE account", to: "/dashboard/buy-sms-online" }}
            />
          )
        }
      />
      {asked && <ExplainDialog transaction={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const TONES: Record<string, "success" | "error"> = { successful: "success", mismatch: "error" };

function clear(state: TableState): void {
  state.setFilters({ q: "", ...Object.fromEntries(FILTERS.map((name) => [name, ""])) });
}

/** Another order, search or filter is another list: it begins at its own beginning. */
function useHistoryState(): TableState {
  const state = useTableState({ filters: [...FILTERS, BEYOND] });
  const again = (values: Record<string, string>) => state.setFilters({ [BEYOND]: "", ...values });
  return {
    ...state,
    setSort: (sort, order) => again({ sort, order }),
    setQ: (q) => again({ q }),
    setFilter: (name, value) => again({ [name]: value }),
    setFilters: again,
  };
}

function Filters({ state }: { state: TableState }) {
  const { filters, setFilter } = state;
  const day = (name: "from" | "to", label: string) => (
    <DateInput label={label} value={filters[name] ?? ""} onChange={(value) => setFilter(name, value)} />
  );
  return (
    <Box
      sx={{
        display: "grid",
        gap: 1.5,
        flex: "1 1 100%",
        gridTemplateColumns: "repeat(auto-fit, minmax(158px, 1fr))",
      }}
    >
      <Choice
        label="Kind"
        value={filters.kind ?? ""}
        onChange={(it) => setFilter("kind", it)}
        options={KINDS}
      />
      <Choice
        label="Status"
        value={filters.status ?? ""}
        onChange={(it) => setFilter("status", it)}
        options={STATUSES}
      />
      <Choice
        label="Currency"
        value={filters.currency ?? ""}
        onChange={(it) => setFilter("currency", it)}
        options={CURRENCIES}
      />
      {day("from", "From")}
      {day("to", "To")}
      {filters.campaign_id && (
        <Button
          variant="outlined"
          endIcon={<Close />}
          aria-label={`Campaign ${filters.campaign_id} only: show everything`}
          onClick={() => setFilter("campaign_id", "")}
          sx={{ justifySelf: "start", alignSelf: "center", whiteSpace: "nowrap" }}
        >
          Campaign {filters.campaign_id}
        </Button>
      )}
    </Box>
  );
}
