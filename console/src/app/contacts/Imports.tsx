// Files that were imported in the last 30 days.

import MuiLink from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { count } from "../../design/count";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { SectionNav } from "../../design/SectionNav";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { type Import, importsQuery, LINKS } from "./phonebook";

const COLUMNS: Column<Import>[] = [
  {
    key: "id",
    label: "Import",
    cell: (it) => (
      <>
        <MuiLink component={Link} to={`/dashboard/phonebook/imports/${it.id}`} sx={{ fontWeight: 600 }}>
          {it.target === "optouts" ? "Opt-outs" : "Contacts"}, import {it.id}
        </MuiLink>
        {it.file_name && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            {it.file_name}
          </Typography>
        )}
      </>
    ),
  },
  { key: "status", label: "Status", cell: (it) => <StatusChip status={it.status} /> },
  { key: "rows", label: "Rows read", align: "right", cell: (it) => count(it.rows_read) },
  { key: "added", label: "New", align: "right", cell: (it) => count(it.added) },
  { key: "updated", label: "Updated", align: "right", cell: (it) => count(it.updated) },
  { key: "rejected", label: "Rejected", align: "right", cell: (it) => count(it.invalid) },
  { key: "begun", label: "Begun", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function Imports() {
  const state = useTableState();
  const result = useQuery(importsQuery({ page: state.page, per_page: state.perPage }));
  return (
    <ListPage
      title="Imports"
      text="What became of the files you uploaded in the last 30 days."
      above={<SectionNav label="Phonebook" links={LINKS} />}
      label="Imports"
      columns={COLUMNS}
      result={result}
      state={state}
      empty={{
        title: "No file was imported in the last 30 days",
        text: "Upload a CSV or text file: what was taken and what was rejected is shown here.",
        action: { label: "Upload contacts", to: "/dashboard/upload-contacts" },
      }}
    />
  );
}
