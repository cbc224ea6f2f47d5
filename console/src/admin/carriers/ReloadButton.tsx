// Reading the configuration file again. A file with an error changes nothing, and the error is shown.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "react-admin";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import type { components } from "../../api/schema";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { FormAlert } from "../../design/states";
import { messages } from "../campaigns/steps";

type Reloaded = components["schemas"]["CarriersReloaded"];

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
          <Outcome done={data} />
        ) : (
          <Typography>
            Carriers and routes become those of the file. Unchanged carriers go on untouched, changed ones
            drain and start anew, removed ones drain and end. A file with an error changes nothing.
          </Typography>
        )}
      </ConfirmDialog>
    </>
  );
}

function Outcome({ done }: { done: Reloaded }) {
  const waiting = done.removed.filter((it) => it.waiting > 0);
  return (
    <>
      <Alert severity="success">{done.message}</Alert>
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
