import Add from "@mui/icons-material/Add";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { Link } from "react-router-dom";
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { DateTime, StatusChip } from "../../design/values";
import { ActionButton } from "../action";
import { addressOf } from "../address";
import { ListSearch } from "../list/ListSearch";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";

type Announcement = components["schemas"]["Announcement"];

const NEW = addressOf("announcement/create");
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export default function AnnouncementList() {
  return (
    <ResourceList
      title="Announcements"
      text="Active ones run above and below every customer's pages."
      actions={
        <Button component={Link} to={NEW} variant="contained" startIcon={<Add />}>
          New announcement
        </Button>
      }
      filters={[<ListSearch key="q" source="q" alwaysOn label="Search the texts" />]}
      empty={
        <EmptyState
          title="No announcements yet"
          text="Write one, and every customer sees it at once."
          action={{ label: "Write an announcement", to: NEW }}
        />
      }
    >
      <ResourceTable label="Announcements">
        <Col<Announcement> source="announcement" label="Text" cell={(row) => <Text row={row} />} />
        <Col<Announcement>
          source="is_active"
          label="Status"
          cell={(row) => <StatusChip status={row.is_active === 1 ? "active" : "inactive"} />}
        />
        <Col<Announcement>
          source="updated_at"
          label="Changed"
          cell={(row) => <DateTime value={row.updated_at} />}
        />
        <Col<Announcement> source="id" label="Actions" actions cell={(row) => <Actions row={row} />} />
      </ResourceTable>
    </ResourceList>
  );
}

function Text({ row }: { row: Announcement }) {
  return <Box sx={{ maxWidth: 480, overflowWrap: "anywhere" }}>{row.announcement}</Box>;
}

function Actions({ row }: { row: Announcement }) {
  const active = row.is_active === 1;
  const named = `“${short(row.announcement)}”`;
  return (
    <Stack sx={{ flexDirection: "row", gap: 1, justifyContent: "flex-end", flexWrap: "wrap", width: "100%" }}>
      <ActionButton
        resource="announcement"
        action={active ? "deactivate" : "activate"}
        target={{ id: row.id, data: undefined }}
        label={active ? "Deactivate" : "Activate"}
        ariaLabel={`${active ? "Deactivate" : "Activate"} ${named}`}
      />
      <Button
        component={Link}
        to={addressOf(`announcement/${row.id}`)}
        size="small"
        variant="outlined"
        aria-label={`Edit ${named}`}
      >
        Edit
      </Button>
      <ActionButton
        resource="announcement"
        action="delete"
        target={{ id: row.id, data: undefined }}
        label="Delete"
        ariaLabel={`Delete ${named}`}
        danger
        ask={{
          title: "Delete this announcement?",
          body: (
            <>
              {named} is gone for good{active ? " and disappears from every customer's pages" : ""}. To only
              hide it, deactivate it.
            </>
          ),
        }}
      />
    </Stack>
  );
}
