// Leading what waits at a carrier elsewhere: to one that is named, or where the routes lead now.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { messageOf } from "../../api/problem";
import type { components } from "../../api/schema";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { messages } from "../../design/count";
import { FormAlert } from "../../design/states";
import { useAction } from "../action";
import { type Carrier, carried } from "./carrier";

type Rerouted = components["schemas"]["CarrierRerouted"];

const ROUTES = "";

export function RerouteButton({ carrier, others }: { carrier: Carrier; others: readonly Carrier[] }) {
  const [open, setOpen] = useState(false);
  const [to, setTo] = useState(ROUTES);
  const [alert, setAlert] = useState<string | null>(null);
  const [done, setDone] = useState<Rerouted | null>(null);
  const rerouting = useAction("carriers", "reroute", {
    onDone: setDone,
    onFailed: (problem) => setAlert(messageOf(problem)),
  });
  const targets = others.filter((it) => it.configured && it.name !== carrier.name);
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-label={`Reroute ${carrier.name}`}
        onClick={() => {
          setAlert(null);
          setDone(null);
          setTo(ROUTES);
          setOpen(true);
        }}
      >
        Reroute
      </Button>
      <ConfirmDialog
        open={open}
        title={`Reroute what waits at ${carrier.name}?`}
        confirm={done ? "Reroute again" : "Reroute"}
        cancel={done ? "Close" : "Cancel"}
        busy={rerouting.isPending}
        onConfirm={() => rerouting.mutate({ id: carrier.name, data: { to } })}
        onClose={() => setOpen(false)}
      >
        <FormAlert text={alert} />
        <Typography sx={{ mb: 2 }}>
          {carried(carrier, carrier.queued + carrier.queued_later)} wait there. Nothing that may have been
          sent moves, prices and refunds stay as promised, and what the other carrier does not take stays.
        </Typography>
        <TextField
          select
          label="Where to"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        >
          <MenuItem value={ROUTES}>Where the routes lead now</MenuItem>
          {targets.map((it) => (
            <MenuItem key={it.name} value={it.name}>
              {it.name} ({it.kind})
            </MenuItem>
          ))}
        </TextField>
        {done && <RerouteResult done={done} />}
      </ConfirmDialog>
    </>
  );
}

function RerouteResult({ done }: { done: Rerouted }) {
  return (
    <Alert severity={done.kept.length > 0 ? "warning" : "success"} sx={{ mt: 2 }}>
      {done.message}
      {done.kept.map((it) => (
        <div key={it.reason}>
          {messages(it.messages)} stay: {it.reason}
        </div>
      ))}
    </Alert>
  );
}
