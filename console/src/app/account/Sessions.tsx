// Where one is signed in, and the end of any of it.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { type Column, DataTable } from "../../design/DataTable";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, StatusChip } from "../../design/values";
import { accountKey, clientName, type Session, sessionsQuery } from "./account";

export function Sessions() {
  const client = useQueryClient();
  const state = useTableState();
  const result = useQuery(sessionsQuery({ page: state.page, per_page: state.perPage }));
  const [leaving, setLeaving] = useState<Session | "others" | null>(null);
  const ending = useMutation({
    mutationFn: (which: Session | "others") =>
      which === "others"
        ? ask(api.DELETE("/api/sessions"))
        : ask(api.DELETE("/api/sessions/{id}", { params: { path: { id: which.id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      setLeaving(null);
      await client.invalidateQueries({ queryKey: accountKey("sessions") });
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });

  const columns: Column<Session>[] = [
    {
      key: "client",
      label: "Client",
      cell: (it) => (
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }} title={it.client}>
          {clientName(it.client)}
          {it.is_current && <StatusChip status="This one" tone="info" />}
        </Box>
      ),
    },
    { key: "address", label: "Address", cell: (it) => it.address },
    { key: "begun", label: "Signed in", cell: (it) => <DateTime value={it.created_at} /> },
    { key: "seen", label: "Last used", cell: (it) => <DateTime value={it.last_seen_at} /> },
    {
      key: "end",
      label: "End",
      align: "right",
      actions: true,
      cell: (it) =>
        it.is_current ? null : (
          <Button
            size="small"
            color="error"
            onClick={() => setLeaving(it)}
            aria-label={`End the session of ${clientName(it.client)}, signed in ${it.created_at}`}
          >
            End
          </Button>
        ),
    },
  ];

  return (
    <Box component="section" aria-labelledby="sessions">
      <Stack
        direction="row"
        sx={{ alignItems: "center", justifyContent: "space-between", gap: 1, mb: 1.5, mt: 1 }}
      >
        <Typography id="sessions" variant="h2">
          Sessions
        </Typography>
        {(result.data?.total ?? 0) > 1 && (
          <Button variant="outlined" color="error" onClick={() => setLeaving("others")}>
            End all others
          </Button>
        )}
      </Stack>
      <DataTable
        label="Where you are signed in"
        columns={columns}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        empty={<EmptyState title="No session" text="Log in again to see where you are signed in." />}
      />
      <ConfirmDialog
        open={leaving !== null}
        danger
        title={leaving === "others" ? "End all other sessions?" : "End this session?"}
        confirm="End"
        busy={ending.isPending}
        onConfirm={() => leaving && ending.mutate(leaving)}
        onClose={() => setLeaving(null)}
      >
        {leaving === "others"
          ? "Everywhere but here, you will have to log in again. API keys go on working."
          : leaving && `${clientName(leaving.client)} at ${leaving.address} will have to log in again.`}
      </ConfirmDialog>
    </Box>
  );
}
