// Every contact, whatever group it is in.
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiLink from "@mui/material/Link";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { api, download } from "../../api/client";
import { messageOf } from "../../api/problem";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { SearchField } from "../../design/SearchField";
import { SectionNav } from "../../design/SectionNav";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, None } from "../../design/values";
import { allContactsQuery, type ContactWithGroups, LINKS } from "./phonebook";

const COLUMNS: Column<ContactWithGroups>[] = [
  { key: "phone", label: "Phone", sort: "phone", cell: (it) => <span>{formatPhone(it.phone)}</span> },
  { key: "name", label: "Name", sort: "name", cell: (it) => it.name || <None /> },
  { key: "email", label: "Email", cell: (it) => it.email || <None /> },
  {
    key: "groups",
    label: "Groups",
    cell: (it) => (
      <Box component="span" sx={{ display: "inline-flex", flexWrap: "wrap", columnGap: 1.5 }}>
        {it.groups.map((group) => (
          <MuiLink key={group.id} component={Link} to={`/dashboard/phonebook/${group.id}`}>
            {group.group_name}
          </MuiLink>
        ))}
      </Box>
    ),
  },
  { key: "added", label: "Added", sort: "created_at", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function AllContacts() {
  const state = useTableState();
  const result = useQuery(allContactsQuery(state.query));
  const exporting = useMutation({
    mutationFn: () => download(api.GET("/api/contacts/export", { parseAs: "blob" }), "contacts.csv"),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <>
      <PageHeader
        title="All contacts"
        text="Look for one number, name or email in all of your groups."
        actions={
          <Button
            variant="outlined"
            startIcon={<FileDownloadOutlined />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate()}
          >
            Export all
          </Button>
        }
      />
      <SectionNav label="Phonebook" links={LINKS} />
      <DataTable
        label="All contacts"
        columns={COLUMNS}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        toolbar={<SearchField label="Search number, name or email" value={state.q} onSearch={state.setQ} />}
        empty={
          state.q ? (
            <EmptyState
              title="No contact matches"
              text="Look for another number, name or email."
              action={{ label: "Show all contacts", onClick: () => state.setQ("") }}
            />
          ) : (
            <EmptyState
              title="No contacts yet"
              text="Upload a file with your contacts, or make a group and add them one by one."
              action={{ label: "Upload contacts", to: "/dashboard/upload-contacts" }}
            />
          )
        }
      />
    </>
  );
}
