// Sender ids: what messages may say they are from, and the request for more.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Choice } from "../../design/Choice";
import { type Column, DataTable } from "../../design/DataTable";
import { PageHeader } from "../../design/PageHeader";
import { PURPOSES } from "../../design/purpose";
import { SearchField } from "../../design/SearchField";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { DateTime, None, StatusChip } from "../../design/values";
import { RequestForm } from "./RequestForm";
import { type SenderId, STATUSES, senderIdsQuery } from "./senderIds";

const COLUMNS: Column<SenderId>[] = [
  {
    key: "sender",
    label: "Sender ID",
    cell: (it) => (
      <Box component="span" sx={{ fontWeight: 600, whiteSpace: "pre-wrap" }}>
        {it.sender_id}
      </Box>
    ),
  },
  {
    key: "status",
    label: "Status",
    cell: (it) => (
      <Box sx={{ minWidth: 0 }}>
        <StatusChip status={it.status} />
        {it.reason && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, overflowWrap: "anywhere" }}>
            {it.reason}
          </Typography>
        )}
      </Box>
    ),
  },
  {
    key: "purpose",
    label: "Messages are for",
    cell: (it) => (it.purpose ? PURPOSES[it.purpose].name : <None />),
  },
  {
    key: "requested",
    label: "Requested",
    cell: (it) => <DateTime value={it.created_at} none={it.id === 0 ? "For all users" : undefined} />,
  },
  { key: "decided", label: "Decided", cell: (it) => <DateTime value={it.decided_at} /> },
];

export default function SenderIds() {
  const state = useTableState({ filters: ["status"] });
  const status = state.filters.status || "all";
  const result = useQuery(senderIdsQuery(state.query, status));
  const [received, setReceived] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title="Request Sender ID"
        text="The name your messages come from. A request is free, and an approval takes 10 minutes to 24 hours."
      />
      <div aria-live="polite">
        {received && (
          <Alert severity="success" variant="outlined" sx={{ mb: 2.5 }} onClose={() => setReceived(null)}>
            {received}
          </Alert>
        )}
      </div>
      <RequestForm onReceived={setReceived} />
      <DataTable
        label="Your sender IDs"
        columns={COLUMNS}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        failure="Failed to load sender IDs."
        toolbar={
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
            <Box sx={{ flex: "1 1 220px" }}>
              <SearchField label="Search sender IDs" value={state.q} onSearch={state.setQ} />
            </Box>
            <Box sx={{ flex: "0 1 200px" }}>
              <Choice
                label="Status"
                value={status}
                onChange={(it) => state.setFilter("status", it === "all" ? "" : it)}
                options={STATUSES}
              />
            </Box>
          </Box>
        }
        empty={
          <EmptyState
            title="No sender ID matches"
            text="Change the search or the status, or request a new one above."
            action={{ label: "Show all sender IDs", onClick: () => state.setFilters({ q: "", status: "" }) }}
          />
        }
      />
    </>
  );
}
