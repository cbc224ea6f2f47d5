// Keys for scripts: made with scopes, shown once, revoked at once.
import Add from "@mui/icons-material/Add";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import type { Column } from "../../design/DataTable";
import { ListPage } from "../../design/ListPage";
import { PURPOSES } from "../../design/purpose";
import { Reauthentication } from "../../design/Reauthentication";
import { SecretDialog } from "../../design/SecretDialog";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { MONO } from "../../design/tokens";
import { DateTime, None } from "../../design/values";
import { ApiKeyDialog } from "./ApiKeyDialog";
import { type ApiKey, accountKey, apiKeysQuery } from "./account";

export default function ApiKeys() {
  const client = useQueryClient();
  const state = useTableState();
  const result = useQuery(apiKeysQuery({ page: state.page, per_page: state.perPage }));
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: accountKey("keys") });
  const revoking = useMutation({
    mutationFn: ({ id }: ApiKey) => ask(api.DELETE("/api/api-keys/{id}", { params: { path: { id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      setLeaving(null);
      await changed();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });

  const columns: Column<ApiKey>[] = [
    {
      key: "name",
      label: "Name",
      cell: (it) => (
        <Box component="span" sx={{ fontWeight: 600 }}>
          {it.name}
        </Box>
      ),
    },
    {
      key: "prefix",
      label: "Begins with",
      cell: (it) => (
        <Box component="code" sx={{ fontFamily: MONO, fontSize: "0.8125rem" }}>
          {it.prefix}
        </Box>
      ),
    },
    { key: "scopes", label: "Scopes", cell: (it) => it.scopes.join(", ") },
    {
      key: "purpose",
      label: "Messages are for",
      cell: (it) => (it.purpose ? PURPOSES[it.purpose].name : <None />),
    },
    { key: "made", label: "Made", cell: (it) => <DateTime value={it.created_at} /> },
    { key: "used", label: "Last used", cell: (it) => <DateTime value={it.last_used_at} none="Never" /> },
    {
      key: "revoke",
      label: "Revoke",
      align: "right",
      actions: true,
      cell: (it) => (
        <Button size="small" color="error" onClick={() => setLeaving(it)} aria-label={`Revoke ${it.name}`}>
          Revoke
        </Button>
      ),
    },
  ];

  return (
    <ListPage
      title="API Keys"
      text="For scripts and the command line, which send and read in your name without your password."
      actions={
        <>
          <Button href="/api/docs" variant="outlined" target="_blank" rel="noopener">
            API reference
          </Button>
          <Button variant="contained" startIcon={<Add />} onClick={() => setMaking(true)}>
            New API key
          </Button>
        </>
      }
      label="API keys in use"
      columns={columns}
      result={result}
      state={state}
      empty={{
        title: "No API keys yet",
        text: "Make one for each program, so that you can revoke it alone.",
        action: { label: "New API key", onClick: () => setMaking(true) },
      }}
    >
      {making && (
        <ApiKeyDialog
          onClose={() => setMaking(false)}
          onMade={({ key }) => {
            setMaking(false);
            setSecret(key);
            void changed();
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title="Your new API key"
          label="API key"
          secret={secret}
          onClose={() => setSecret(null)}
        >
          <Typography variant="body2" color="textSecondary">
            Send it as <code>Authorization: Bearer</code>, or give it to the command line as{" "}
            <code>TALKDRUM_TOKEN</code>.
          </Typography>
        </SecretDialog>
      )}
      <ConfirmDialog
        open={leaving !== null}
        danger
        title={`Revoke ${leaving?.name ?? "this key"}?`}
        confirm="Revoke"
        busy={revoking.isPending}
        onConfirm={() => leaving && revoking.mutate(leaving)}
        onClose={() => setLeaving(null)}
      >
        Whatever uses it stops working at once. This cannot be undone.
      </ConfirmDialog>
      <Reauthentication />
    </ListPage>
  );
}
