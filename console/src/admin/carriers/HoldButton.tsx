// Pause, drain, resume and hang up: the dialog shows what waits and what is in flight, and asks for a reason, which other
// administrators see.
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { ApiProblem } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { FormAlert } from "../../design/states";
import { useAction } from "../action";
import { type Carrier, carried, isTrunk } from "./carrier";

const REASON_MOST = 200;

const HOLDS = {
  pause: {
    label: "Pause",
    text: (it: Carrier) =>
      `${carried(it, it.queued)} that wait, and all new ones of its routes, stay until it is resumed or they are rerouted. ${carried(it, it.in_flight)} in flight are finished.${isTrunk(it) ? "" : " Receipts are taken, and test messages go out."}`,
  },
  drain: {
    label: "Drain",
    text: (it: Carrier) =>
      `${carried(it, it.in_flight)} in flight are finished, and nothing new is claimed: ${carried(it, it.queued)} stay. It says “drained” when nothing of it is in flight any more.`,
  },
  hangUp: {
    label: "Hang up all",
    text: (it: Carrier) =>
      `${carried(it, it.calls?.up ?? 0)} that are up end now. Those that were answered are charged for as long as they were up; unanswered calls are queued again. The carrier is paused: ${carried(it, it.queued)} wait. A provider over HTTP is asked to end them, where its settings say how.`,
  },
  resume: {
    label: "Resume",
    text: (it: Carrier) => `${carried(it, it.queued)} that wait go out at once.`,
  },
} as const;

interface Props {
  carrier: Carrier;
  hold: keyof typeof HOLDS;
}

export function HoldButton({ carrier, hold }: Props) {
  const { label, text } = HOLDS[hold];
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [alert, setAlert] = useState<string | null>(null);
  const holding = useAction("carriers", hold, {
    onDone: () => setOpen(false),
    onFailed: (problem) => setAlert(problem instanceof ApiProblem ? problem.message : "Something went wrong"),
  });
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-label={`${label} ${carrier.name}`}
        onClick={() => {
          setReason("");
          setAlert(null);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={open}
        title={`${label} ${carrier.name}?`}
        confirm={label}
        busy={holding.isPending}
        onConfirm={() => holding.mutate({ id: carrier.name, data: { reason: reason.trim() } })}
        onClose={() => setOpen(false)}
      >
        <FormAlert text={alert} />
        <Typography sx={{ mb: 2 }}>{text(carrier)}</Typography>
        <TextField
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          slotProps={{ htmlInput: { maxLength: REASON_MOST } }}
          helperText="For the next person who looks at the carrier; may stay empty."
        />
      </ConfirmDialog>
    </>
  );
}
