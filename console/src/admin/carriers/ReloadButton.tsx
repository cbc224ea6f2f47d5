// Reading the configuration file again, at every daemon on the database. A file with an error changes nothing, and the
// error is shown; so is which daemon took it, and which did not and why.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "react-admin";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import type { components } from "../../api/schema";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { messages } from "../../design/count";
import { FormAlert } from "../../design/states";
import { StatusChip } from "../../design/values";

type Reloaded = components["schemas"]["CarriersReloaded"];
type AtDaemon = components["schemas"]["DaemonReloaded"];

const OUTCOMES: Record<string, readonly [words: string, tone: "success" | "warning" | "error"]> = {
  reloaded: ["Took it", "success"],
  started: ["Started with it", "success"],
  refused: ["Refused it", "error"],
  silent: ["Not heard from", "warning"],
};

export function ReloadButton() {
  const [open, setOpen] = useState(false);
  const refresh = useRefresh();
  const reloading = useMutation({
    mutationFn: () => ask(api.POST("/admin/carriers/reload")),
    onSuccess: () => refresh(),
  });
  const { data } = reloading;
  return (
    <>
      <Button
        variant="outlined"
        onClick={() => {
          reloading.reset();
          setOpen(true);
        }}
      >
        Reload the configuration
      </Button>
      <ConfirmDialog
        open={open}
        title="Read the configuration file again?"
        confirm={data ? "Reload again" : "Reload"}
        cancel={data ? "Close" : "Cancel"}
        busy={reloading.isPending}
        onConfirm={() => reloading.mutate()}
        onClose={() => setOpen(false)}
      >
        <FormAlert text={reloading.isError ? messageOf(reloading.error) : null} />
        {data ? (
          <ReloadResult done={data} />
        ) : (
          <Typography>
            Carriers and routes become those of the file. Unchanged carriers go on untouched, changed ones
            drain and restart, removed ones drain and end. Every daemon on the database reads the file of its
            own machine; a file with an error changes nothing there.
          </Typography>
        )}
      </ConfirmDialog>
    </>
  );
}

function ReloadResult({ done }: { done: Reloaded }) {
  const waiting = done.removed.filter((it) => it.waiting > 0);
  const daemons = done.daemons ?? [];
  const all = daemons.every((it) => it.outcome === "reloaded" || it.outcome === "started");
  return (
    <>
      <Alert severity={all ? "success" : "warning"}>{done.message}</Alert>
      {(daemons.length > 1 || !all) && <Daemons daemons={daemons} />}
      {waiting.length > 0 && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {waiting.map((it) => (
            <div key={it.name}>
              {messages(it.waiting)} still wait for {it.name}, which is not configured any more: reroute them,
              or put it back.
            </div>
          ))}
        </Alert>
      )}
      {done.needs_restart.length > 0 && (
        <Alert severity="info" sx={{ mt: 1 }}>
          These settings changed too and need a restart: {done.needs_restart.join(", ")}.
        </Alert>
      )}
    </>
  );
}

function Daemons({ daemons }: { daemons: readonly AtDaemon[] }) {
  return (
    <Box component="ul" aria-label="Daemons" sx={{ listStyle: "none", m: 0, mt: 1.5, p: 0 }}>
      {daemons.map((it) => {
        const [words, tone] = OUTCOMES[it.outcome] ?? [it.outcome, "warning"];
        return (
          <Box
            component="li"
            key={`${it.name} ${it.role}`}
            sx={{ py: 1, borderTop: 1, borderColor: "divider", overflowWrap: "anywhere" }}
          >
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
              <Typography component="span" sx={{ fontWeight: 600 }}>
                {it.name}
              </Typography>
              <Typography component="span" variant="body2" color="textSecondary" sx={{ flex: 1 }}>
                {ROLES[it.role] ?? it.role}
              </Typography>
              <StatusChip status={words} tone={tone} />
            </Box>
            {it.message && (
              <Typography variant="body2" color="textSecondary">
                {it.message}
              </Typography>
            )}
          </Box>
        );
      })}
    </Box>
  );
}

const ROLES: Record<string, string> = { all: "API and worker", api: "API", worker: "Worker" };
