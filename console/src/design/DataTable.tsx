// Every list of the dashboard: skeleton, error with a retry, empty state, rows, pager. On a phone a row is two lines.
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
import { FilterSheet } from "./FilterSheet";
import { Pager } from "./Pager";
import { type PhoneRole, phoneRoles, STACKED } from "./stacked";
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
  /** Where it goes on a phone; without it the first column is the title, and the others follow under their names. */
  phone?: PhoneRole;
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
  /** The search box. */
  toolbar?: ReactNode;
  /** What narrows the list beside the search, and which of the state's filters it sets: on a phone in a sheet. */
  filters?: { inputs: ReactNode; names: readonly string[] };
  /** Buttons for the whole list, such as a download. */
  extra?: ReactNode;
}

/** Where there is room for heads in one line; and where there is room for a row, but none to spare. */
const TIGHT = {
  "@media (min-width: 1200px)": { "th.MuiTableCell-root": { whiteSpace: "nowrap" } },
  "@media (min-width: 640px) and (max-width: 1199.95px)": {
    "th:not(:last-of-type), td:not(:last-of-type)": { pr: 0.5 },
    "th:not(:first-of-type), td:not(:first-of-type)": { pl: 0.5 },
  },
  "@media (min-width: 1200px) and (max-width: 1439.95px)": {
    "th:not(:last-of-type), td:not(:last-of-type)": { pr: 1 },
    "th:not(:first-of-type), td:not(:first-of-type)": { pl: 1 },
  },
} as const;

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rowKey, result, state, empty, failure, toolbar, filters, extra } = props;
  const { data } = result;
  const roles = phoneRoles(columns);
  const failed = result.isError && !data;
  useFailure(result.isError ? result.error : null, failure);
  const none = data && data.rows.length === 0 && state.page === 1;
  return (
    <Card>
      {(toolbar || filters || extra) && (
        <Box
          sx={{
            p: { xs: 1.5, sm: 2 },
            borderBottom: 1,
            borderColor: "divider",
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1.5,
          }}
        >
          {toolbar && <Box sx={{ flex: "1 1 180px", minWidth: 0 }}>{toolbar}</Box>}
          {filters && (
            <FilterSheet active={filters.names.filter((name) => state.filters[name]).length}>
              {filters.inputs}
            </FilterSheet>
          )}
          {extra && <Box sx={{ ml: "auto" }}>{extra}</Box>}
        </Box>
      )}
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
                    {columns.map((column, at) => (
                      <TableCell
                        key={column.key}
                        align={column.align}
                        data-phone={roles[at]}
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
  const roles = phoneRoles(columns);
  return LOADING.map((row) => (
    <TableRow key={row}>
      {columns.map((column, at) => (
        <TableCell key={column.key} data-phone={roles[at]}>
          <Skeleton width={column.actions ? 60 : "70%"} />
        </TableCell>
      ))}
    </TableRow>
  ));
}
