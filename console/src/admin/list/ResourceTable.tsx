// The rows of a list: react-admin's table, with two lines instead of a row on a phone.
import Box from "@mui/material/Box";
import { Children, cloneElement, isValidElement, type ReactNode } from "react";
import { DataTable, type DataTableProps, type Identifier, type RaRecord } from "react-admin";
import { type PhoneRole, phoneRoles, STACKED } from "../../design/stacked";
import { SelectAll, SelectionBar, SelectRow } from "./selection";

interface Props {
  /** What the table is of, for screen readers. */
  label: string;
  /** Columns: `Col`s. */
  children: ReactNode;
  /** What can be done with several rows at once. Without it rows have no boxes to choose them by. */
  bulk?: ReactNode;
  /** Where a click on a row leads. */
  rowTo?: (row: RaRecord) => string | false;
  rowSx?: DataTableProps["rowSx"];
}

export function ResourceTable({ label, children, bulk, rowTo, rowSx }: Props) {
  const columns = Children.toArray(children).filter((it) => isValidElement<ColProps<RaRecord>>(it));
  const roles = phoneRoles(columns.map((it) => it.props));
  return (
    <>
      {bulk && <SelectionBar>{bulk}</SelectionBar>}
      {/* A region that scrolls can be reached and scrolled by keyboard. */}
      <Box sx={{ overflowX: "auto", ...STACKED, ...PLAIN }} tabIndex={0} role="region" aria-label={label}>
        <DataTable
          aria-label={label}
          size="medium"
          bulkActionButtons={false}
          rowClick={rowTo ? (_id: Identifier, _resource: string, row: RaRecord) => rowTo(row) : false}
          rowSx={rowSx}
          empty={false}
        >
          {bulk && (
            <DataTable.Col
              key="choose"
              label={<SelectAll />}
              disableSort
              data-phone="choose"
              sx={{ width: 48 }}
              render={(row: RaRecord) => <SelectRow row={row} />}
            />
          )}
          {columns.map((it, at) => cloneElement(it, { phone: roles[at] }))}
        </DataTable>
      </Box>
    </>
  );
}

const PLAIN = {
  "& th.RaDataTable-headerCell": { whiteSpace: "nowrap", backgroundColor: "var(--sunken)" },
  "& td": { verticalAlign: "middle" },
  // Many columns: room for texts, rather than between them.
  "@media (min-width: 640px)": {
    "& th:not(:first-of-type), & td:not(:first-of-type)": { pl: 0.75 },
  },
  "& .RaDataTable-tableWrapper": { overflow: "visible" },
  // The card around has the corners.
  "& .MuiPaper-root, & .RaDataTable-root, & .RaDataTable-tableWrapper, & .RaDataTable-table, & th": {
    borderRadius: "0 !important",
  },
} as const;

interface ColProps<Row extends RaRecord> {
  /** The field; also what the daemon sorts by, where it can. */
  source: string;
  label: string;
  /** The field as it is, unless this is given. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
  align?: "left" | "right";
  /** For buttons: no label on a phone. */
  actions?: boolean;
  /** Where it goes on a phone; the table chooses where it is not named. */
  phone?: PhoneRole;
}

export function Col<Row extends RaRecord>(props: ColProps<Row>) {
  const { source, label, cell, sortable = false, align, actions, phone } = props;
  return (
    <DataTable.Col
      source={source}
      label={label}
      disableSort={!sortable}
      align={align ?? (actions ? "right" : undefined)}
      data-label={actions ? undefined : label}
      data-phone={phone}
      render={cell ? (row) => cell(row as Row) : undefined}
    />
  );
}
