// The groups of contacts.
import Add from "@mui/icons-material/Add";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import EditOutlined from "@mui/icons-material/EditOutlined";
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import MuiLink from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { SearchField } from "../../design/SearchField";
import { SectionNav } from "../../design/SectionNav";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime } from "../../design/values";
import { DeleteGroup } from "./DeleteGroup";
import { GroupDialog } from "./GroupDialog";
import { type Group, groupsQuery, LINKS } from "./phonebook";

export default function Phonebook() {
  const state = useTableState();
  const navigate = useNavigate();
  const result = useQuery(groupsQuery(state.query));
  const [making, setMaking] = useState(false);
  const [editing, setEditing] = useState<Group | null>(null);
  const [deleting, setDeleting] = useState<Group | null>(null);

  const columns: Column<Group>[] = [
    {
      key: "name",
      label: "Group",
      sort: "group_name",
      cell: (group) => (
        <Box sx={{ minWidth: 0 }}>
          <MuiLink component={Link} to={`/dashboard/phonebook/${group.id}`} sx={{ fontWeight: 600 }}>
            {group.group_name}
          </MuiLink>
          {group.description && (
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
              {group.description}
            </Typography>
          )}
        </Box>
      ),
    },
    {
      key: "contacts",
      label: "Contacts",
      align: "right",
      sort: "contacts_count",
      cell: (group) => group.contacts_count.toLocaleString("en"),
    },
    {
      key: "created",
      label: "Created",
      sort: "created_at",
      cell: (group) => <DateTime value={group.created_at} />,
    },
    {
      key: "actions",
      label: "Actions",
      align: "right",
      actions: true,
      cell: (group) => (
        <Box sx={{ whiteSpace: "nowrap" }}>
          <IconButton aria-label={`Edit ${group.group_name}`} onClick={() => setEditing(group)}>
            <EditOutlined />
          </IconButton>
          <IconButton aria-label={`Delete ${group.group_name}`} onClick={() => setDeleting(group)}>
            <DeleteOutlined />
          </IconButton>
        </Box>
      ),
    },
  ];

  return (
    <>
      <PageHeader
        title="Phonebook"
        text="Keep your contacts in groups, and send to a whole group at once."
        actions={
          <>
            <Button
              component={Link}
              to="/dashboard/upload-contacts"
              variant="outlined"
              startIcon={<UploadFileOutlined />}
            >
              Upload contacts
            </Button>
            <Button variant="contained" startIcon={<Add />} onClick={() => setMaking(true)}>
              New group
            </Button>
          </>
        }
      />
      <SectionNav label="Phonebook" links={LINKS} />
      <DataTable
        label="Groups"
        columns={columns}
        rowKey={(group) => group.id}
        result={result}
        state={state}
        toolbar={<SearchField label="Search groups" value={state.q} onSearch={state.setQ} />}
        empty={
          state.q ? (
            <EmptyState
              title="No group has that name"
              text="Look for another word, or show all groups."
              action={{ label: "Show all groups", onClick: () => state.setQ("") }}
            />
          ) : (
            <EmptyState
              title="No groups yet"
              text="Make a group and add contacts one by one, or upload a file with all of them."
              action={{ label: "New group", onClick: () => setMaking(true) }}
            />
          )
        }
      />
      {making && (
        <GroupDialog
          onClose={() => setMaking(false)}
          onDone={(group) => navigate(`/dashboard/phonebook/${group.id}`)}
        />
      )}
      {editing && <GroupDialog group={editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteGroup group={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}
