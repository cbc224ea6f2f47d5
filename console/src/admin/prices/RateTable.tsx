// The rates in a table, by pages of what the browser has: there are no more than a thousand.
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { type Column, DataTable } from "../../design/DataTable";
import { amountOf, type Currency, formatUnitPrice } from "../../design/money";
import { networkName } from "../../design/network";
import { purposeName } from "../../design/purpose";
import { SearchField } from "../../design/SearchField";
import { USUAL } from "../../design/stacked";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, None, StatusChip, UnitPrice } from "../../design/values";
import { keyOf, marginOf, nameOf, type RateRow, type ShownRow } from "./rateList";

interface Props {
  /** Of the table. */
  label: string;
  /** What it means that there are none. */
  none: string;
  result: { data: unknown; isFetching: boolean; isError: boolean; error: unknown; refetch: () => unknown };
  rows: readonly ShownRow[];
  onAdd: () => void;
  onEdit: (row: RateRow) => void;
  onRemove: (row: RateRow) => void;
  /** Takes back what was changed of it. */
  onUndo: (row: RateRow) => void;
}

const EDITS = { new: "success", changed: "warning", removed: "error" } as const;

export function RateTable({ label, none, result, rows, onAdd, onEdit, onRemove, onUndo }: Props) {
  const state = useTableState();
  const found = rows.filter(({ row }) => isFound(row, state.q));
  const last = Math.max(1, Math.ceil(found.length / state.perPage));
  const page = Math.min(state.page, last);
  const data = result.data
    ? { rows: found.slice((page - 1) * state.perPage, page * state.perPage), total: found.length }
    : undefined;
  const price = (currency: Currency) => (shown: ShownRow) => {
    const value = shown.row[currency];
    if (value === null) return <None />;
    return (
      <>
        <UnitPrice value={amountOf(value)} currency={currency} />
        <Margin value={marginOf(shown.row, currency)} currency={currency} />
      </>
    );
  };
  const columns: Column<ShownRow>[] = [
    { key: "prefix", label: "Prefix", cell: ({ row }) => <b>+{row.prefix}</b>, phone: "title" },
    {
      key: "network",
      label: "Network",
      cell: ({ row }) => (row.network ? networkName(row.network) : <span {...USUAL}>All</span>),
    },
    {
      key: "purpose",
      label: "For",
      cell: ({ row }) => (row.purpose ? purposeName(row.purpose) : <span {...USUAL}>All</span>),
    },
    { key: "espees", label: "ESPEES", cell: price("espees"), align: "right" },
    { key: "naira", label: "Naira", cell: price("naira"), align: "right" },
    {
      key: "edit",
      label: "Change",
      phone: "figure",
      cell: ({ edit }) => (edit ? <StatusChip status={edit} tone={EDITS[edit]} /> : <None />),
    },
    {
      key: "updated_at",
      label: "Set",
      cell: ({ row }) => <DateTime value={row.updated_at} />,
    },
    {
      key: "actions",
      label: "Actions",
      actions: true,
      align: "right",
      cell: ({ row, edit }) => (
        <Stack sx={{ flexDirection: "row", gap: 1, justifyContent: "flex-end" }}>
          {edit !== "removed" && (
            <Button
              size="small"
              variant="outlined"
              aria-label={`Edit the rate of ${nameOf(row)}`}
              onClick={() => onEdit(row)}
            >
              Edit
            </Button>
          )}
          {edit === "removed" || edit === "changed" ? (
            <Button
              size="small"
              variant="outlined"
              aria-label={`Undo the change of the rate of ${nameOf(row)}`}
              onClick={() => onUndo(row)}
            >
              Undo
            </Button>
          ) : (
            <Button
              size="small"
              variant="outlined"
              color="error"
              aria-label={`Remove the rate of ${nameOf(row)}`}
              onClick={() => onRemove(row)}
            >
              Remove
            </Button>
          )}
        </Stack>
      ),
    },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rowKey={({ row }) => keyOf(row)}
      result={{ ...result, data }}
      state={{ ...state, page }}
      toolbar={<SearchField label="Search by prefix or network" value={state.q} onSearch={state.setQ} />}
      empty={
        state.q ? (
          <EmptyState title="No rate found" text="Search for digits of a prefix, or for a network." />
        ) : (
          <EmptyState title="No rates" text={none} action={{ label: "Add a rate", onClick: onAdd }} />
        )
      }
    />
  );
}

/** What is left of a price, below it. */
function Margin({ value, currency }: { value: bigint | null; currency: Currency }) {
  if (value === null) return null;
  const amount = formatUnitPrice(amountOf(value < 0n ? -value : value), currency);
  return (
    <Typography
      variant="caption"
      component="div"
      color={value < 0n ? "error" : "text.secondary"}
      sx={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}
    >
      {value < 0n ? `${amount} below cost` : `Margin ${amount}`}
    </Typography>
  );
}

/** A number finds the rates of its prefixes, too. */
function isFound(row: RateRow, text: string): boolean {
  const digits = text.replace(/[\s+-]/g, "");
  if (/^\d+$/.test(digits)) return row.prefix.startsWith(digits) || digits.startsWith(row.prefix);
  return nameOf(row).toLowerCase().includes(text.trim().toLowerCase());
}
