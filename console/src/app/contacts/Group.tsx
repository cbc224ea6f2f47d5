// One group with its contacts.
import Add from "@mui/icons-material/Add";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import EditOutlined from "@mui/icons-material/EditOutlined";
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import SendOutlined from "@mui/icons-material/SendOutlined";
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { api, download } from "../../api/client";
import { messageOf } from "../../api/problem";
import { composeAddress } from "../../design/composeAddress";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { SearchField } from "../../design/SearchField";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, None } from "../../design/values";
import { ContactDialog } from "./ContactDialog";
import { DeleteContact } from "./DeleteContact";
import { DeleteGroup } from "./DeleteGroup";
import { GroupDialog } from "./GroupDialog";
import { type Contact, contactsOfQuery, fileNameOf, type Group, groupQuery } from "./phonebook";

/** Merge fields shown as columns; the others are in the contact's form. */
const COLUMNS_SHOWN = 3;

export default function GroupPage() {
  const id = Number(useParams().id);
  const group = useQuery({ ...groupQuery(id), enabled: Number.isInteger(id) });
  if (group.isError && !group.data)
    return <ErrorState error={group.error} onRetry={() => void group.refetch()} />;
  if (group.data === undefined && group.isPending && group.fetchStatus !== "idle") return <PageSkeleton />;
  if (!group.data) {
    return (
      <>
        <PageHeader title="No such group" />
        <EmptyState
          title="There is no such group"
          text="It may have been deleted. Your other groups are in the phonebook."
          action={{ label: "Open the phonebook", to: "/dashboard/phonebook" }}
        />
      </>
    );
  }
  return <Contacts group={group.data} />;
}

function Contacts({ group }: { group: Group }) {
  const state = useTableState();
  const navigate = useNavigate();
  const result = useQuery(contactsOfQuery(group.id, state.query));
  const [dialog, setDialog] = useState<"contact" | "edit" | "delete" | null>(null);
  const [editing, setEditing] = useState<Contact | null>(null);
  const [deleting, setDeleting] = useState<Contact | null>(null);
  const exporting = useMutation({
    mutationFn: () =>
      download(
        api.GET("/api/groups/{id}/export", { params: { path: { id: group.id } }, parseAs: "blob" }),
        fileNameOf(group.group_name, "csv"),
      ),
    onError: (problem) => toast.error(messageOf(problem)),
  });

  const columns: Column<Contact>[] = [
    { key: "phone", label: "Phone", sort: "phone", cell: (it) => <span>{formatPhone(it.phone)}</span> },
    { key: "name", label: "Name", phone: "plain", sort: "name", cell: (it) => it.name || <None /> },
    { key: "email", label: "Email", phone: "plain", cell: (it) => it.email || <None /> },
    ...group.columns.slice(0, COLUMNS_SHOWN).map(
      (name): Column<Contact> => ({
        key: `field-${name}`,
        label: name,
        cell: (it) => String(it.fields[name] ?? "-"),
      }),
    ),
    {
      key: "added",
      label: "Added",
      phone: "hidden",
      sort: "created_at",
      cell: (it) => <DateTime value={it.created_at} />,
    },
    {
      key: "actions",
      label: "Actions",
      align: "right",
      actions: true,
      cell: (it) => (
        <Box sx={{ whiteSpace: "nowrap" }}>
          <IconButton aria-label={`Edit ${it.name || formatPhone(it.phone)}`} onClick={() => setEditing(it)}>
            <EditOutlined />
          </IconButton>
          <IconButton
            aria-label={`Delete ${it.name || formatPhone(it.phone)}`}
            onClick={() => setDeleting(it)}
          >
            <DeleteOutlined />
          </IconButton>
        </Box>
      ),
    },
  ];

  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/phonebook", label: "Phonebook" }}
        title={group.group_name}
        text={group.description || undefined}
        actions={
          <>
            <Button startIcon={<EditOutlined />} variant="outlined" onClick={() => setDialog("edit")}>
              Edit
            </Button>
            <Button
              startIcon={<DeleteOutlined />}
              variant="outlined"
              color="error"
              onClick={() => setDialog("delete")}
            >
              Delete
            </Button>
            <Button startIcon={<Add />} variant="contained" onClick={() => setDialog("contact")}>
              New contact
            </Button>
            {group.contacts_count > 0 && (
              <Button
                component={Link}
                to={composeAddress("text", { groups: [group.id] })}
                startIcon={<SendOutlined />}
                variant="outlined"
              >
                Send to these
              </Button>
            )}
          </>
        }
      />
      <DataTable
        label={`Contacts of ${group.group_name}`}
        columns={columns}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        toolbar={
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}>
            <Box sx={{ flex: "1 1 240px" }}>
              <SearchField label="Search number, name or email" value={state.q} onSearch={state.setQ} />
            </Box>
            <Button
              component={Link}
              to={`/dashboard/upload-contacts?group=${group.id}`}
              startIcon={<UploadFileOutlined />}
            >
              Upload a file
            </Button>
            <Button
              startIcon={<FileDownloadOutlined />}
              loading={exporting.isPending}
              disabled={group.contacts_count === 0}
              onClick={() => exporting.mutate()}
            >
              Export
            </Button>
          </Box>
        }
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
              text="Add contacts one by one, or upload a file with all of them."
              action={{ label: "New contact", onClick: () => setDialog("contact") }}
            />
          )
        }
      />
      {dialog === "contact" && <ContactDialog group={group} onClose={() => setDialog(null)} />}
      {dialog === "edit" && <GroupDialog group={group} onClose={() => setDialog(null)} />}
      {dialog === "delete" && (
        <DeleteGroup
          group={group}
          onClose={() => setDialog(null)}
          onDone={() => navigate("/dashboard/phonebook")}
        />
      )}
      {editing && <ContactDialog group={group} contact={editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteContact contact={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}
