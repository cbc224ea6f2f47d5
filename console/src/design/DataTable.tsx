// Every list of the dashboard: skeleton, error with a retry, empty state, rows, pager. On a phone a row is a card.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TableSortLabel from "@mui/material/TableSortLabel";
import type { ReactNode } from "react";
import { Pager } from "./Pager";
import { ErrorState } from "./states";
import type { TableState } from "./tableState";
import { useFailure } from "./toasts";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  align?: "left" | "right";
  /** The daemon's name to sort by, where it can. */
  sort?: string;
  /** For buttons: no label on a phone. */
  actions?: boolean;
  width?: string | number;
}

interface Props<Row> {
  /** What the table is of, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** A query's result: `data` is undefined until there is one. */
  result: {
    data: { rows: readonly Row[]; total: number } | undefined;
    isFetching: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  state: TableState;
  empty: ReactNode;
  /** What a failure is called, where the specification has words for it. */
  failure?: string;
  /** Search box and filters. */
  toolbar?: ReactNode;
}

/** A card instead of a row, below 640 px. */
export const STACKED = {
  "@media (max-width: 639.95px)": {
    thead: { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" },
    "table, tbody, tr, td": { display: "block", width: "100%" },
    tr: { py: 1.25, borderBottom: 1, borderColor: "divider" },
    td: {
      display: "flex",
      // MUI turns a right-aligned cell round.
      flexDirection: "row",
      justifyContent: "space-between",
      alignItems: "baseline",
      gap: 2,
      border: 0,
      py: 0.5,
      textAlign: "right",
      overflowWrap: "anywhere",
    },
    "td:not([data-label])": { justifyContent: "flex-end" },
    "td[data-label]::before": {
      content: "attr(data-label)",
      color: "text.secondary",
      fontSize: "0.8125rem",
      flex: "0 0 auto",
      textAlign: "left",
    },
  },
} as const;

/** Where there is room for a row, but none to spare. */
const TIGHT = {
  "@media (min-width: 640px) and (max-width: 1199.95px)": {
    "th:not(:last-of-type), td:not(:last-of-type)": { pr: 0.5 },
    "th:not(:first-of-type), td:not(:first-of-type)": { pl: 0.5 },
  },
} as const;

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rowKey, result, state, empty, failure, toolbar } = props;
  const { data } = result;
  const failed = result.isError && !data;
  useFailure(result.isError ? result.error : null, failure);
  const none = data && data.rows.length === 0 && state.page === 1;
  return (
    <Card>
      {toolbar && <Box sx={{ p: 2, borderBottom: 1, borderColor: "divider" }}>{toolbar}</Box>}
      {/* Laid over what is below, which neither moves nor keeps a gap for it. */}
      <Box sx={{ position: "relative", zIndex: 1, height: 0 }}>
        {result.isFetching && data && (
          <LinearProgress
            sx={{ position: "absolute", inset: "0 0 auto", height: 3 }}
            aria-label={`${label}: refreshing`}
          />
        )}
      </Box>
      {failed && <ErrorState title={failure} error={result.error} onRetry={() => void result.refetch()} />}
      {none && empty}
      {!failed && !none && (
        // A region that scrolls can be reached and scrolled by keyboard.
        <Box sx={{ overflowX: "auto", ...STACKED, ...TIGHT }} tabIndex={0} role="region" aria-label={label}>
          <Table aria-label={label} aria-busy={!data}>
            <TableHead>
              <TableRow>
                {columns.map((column) => (
                  <TableCell
                    key={column.key}
                    align={column.align}
                    sx={{ width: column.width }}
                    sortDirection={
                      column.sort !== undefined && column.sort === state.sort && (state.order ?? "desc")
                    }
                  >
                    {column.sort ? <SortLabel column={column} state={state} /> : column.label}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {data ? (
                data.rows.map((row) => (
                  <TableRow key={rowKey(row)} hover>
                    {columns.map((column) => (
                      <TableCell
                        key={column.key}
                        align={column.align}
                        data-label={column.actions ? undefined : column.label}
                      >
                        {column.cell(row)}
                      </TableCell>
                    ))}
                  </TableRow>
                ))
              ) : (
                <LoadingRows columns={columns} />
              )}
            </TableBody>
          </Table>
        </Box>
      )}
      {data && !none && (
        <Pager
          page={state.page}
          perPage={state.perPage}
          total={data.total}
          onPage={state.setPage}
          onPerPage={state.setPerPage}
        />
      )}
    </Card>
  );
}

function SortLabel<Row>({ column, state }: { column: Column<Row>; state: TableState }) {
  const active = state.sort === column.sort;
  const next = active && state.order === "desc" ? "asc" : "desc";
  return (
    <TableSortLabel
      active={active}
      direction={active ? (state.order ?? "desc") : "desc"}
      onClick={() => column.sort && state.setSort(column.sort, next)}
    >
      {column.label}
    </TableSortLabel>
  );
}

const LOADING = ["a", "b", "c", "d", "e", "f"];

function LoadingRows<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return LOADING.map((row) => (
    <TableRow key={row}>
      {columns.map((column) => (
        <TableCell key={column.key}>
          <Skeleton width={column.actions ? 60 : "70%"} />
        </TableCell>
      ))}
    </TableRow>
  ));
}
