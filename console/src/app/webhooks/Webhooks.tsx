// Addresses of the customer's own that events of campaigns and messages are sent to.
import Add from "@mui/icons-material/Add";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiLink from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { Reauthentication } from "../../design/Reauthentication";
import { useTableState } from "../../design/tableState";
import { DateTime, StatusChip } from "../../design/values";
import { SigningSecret } from "./SigningSecret";
import { WebhookDialog } from "./WebhookDialog";
import { EVENTS, type Webhook, webhooksQuery } from "./webhooks";

const COLUMNS: Column<Webhook>[] = [
  {
    key: "url",
    label: "Address",
    cell: (it) => (
      <Box sx={{ minWidth: 0 }}>
        <MuiLink
          component={Link}
          to={`/dashboard/webhooks/${it.id}`}
          sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
        >
          {it.url}
        </MuiLink>
        {it.description && (
          <Typography variant="body2" color="textSecondary">
            {it.description}
          </Typography>
        )}
      </Box>
    ),
  },
  {
    key: "events",
    label: "Events",
    cell: (it) =>
      it.events.length === EVENTS.length ? "Everything" : `${it.events.length} of ${EVENTS.length} events`,
  },
  {
    key: "status",
    label: "Status",
    cell: (it) => (
      <StatusChip
        status={it.is_active ? (it.failing_since ? "Failing" : "On") : "Off"}
        tone={it.is_active ? (it.failing_since ? "error" : "success") : "neutral"}
      />
    ),
  },
  { key: "pending", label: "Waiting", align: "right", cell: (it) => it.pending.toLocaleString("en") },
  { key: "made", label: "Made", cell: (it) => <DateTime value={it.created_at} /> },
];

export default function Webhooks() {
  const state = useTableState();
  const result = useQuery(webhooksQuery());
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <ListPage
      title="Webhooks"
      text="Your own server receives events of campaigns and messages as they change, in signed requests. At most 20."
      actions={
        <Button variant="contained" startIcon={<Add />} onClick={() => setMaking(true)}>
          New webhook
        </Button>
      }
      label="Your webhooks"
      columns={COLUMNS}
      result={result}
      state={state}
      empty={{
        title: "No webhooks yet",
        text: "Add the address of your server, and it is told when a campaign ends or a message is delivered.",
        action: { label: "New webhook", onClick: () => setMaking(true) },
      }}
    >
      {making && <WebhookDialog onClose={() => setMaking(false)} onMade={setSecret} />}
      {secret && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
      <Reauthentication />
    </ListPage>
  );
}
