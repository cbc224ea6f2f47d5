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
    title: "Pause",
    text: (it: Carrier) =>
      `It keeps ${carried(it, it.queued)} waiting, and all new ones of its routes, until it is resumed or they are rerouted. It finishes ${carried(it, it.in_flight)} in flight.${isTrunk(it) ? "" : " Receipts are taken, and test messages go out."}`,
  },
  drain: {
    label: "Drain",
    title: "Drain",
    text: (it: Carrier) =>
      `It finishes ${carried(it, it.in_flight)} in flight and claims nothing new, with ${carried(it, it.queued)} left waiting. It says “drained” when nothing of it is in flight any more.`,
  },
  hangUp: {
    label: "Hang up all",
    title: "Hang up all calls of",
    text: (it: Carrier) =>
      `It ends ${carried(it, it.calls?.up ?? 0)} now. Answered ones are charged for as long as they were up; unanswered ones wait for it, or for the carrier that they came from. It is paused, with ${carried(it, it.queued)} waiting. A provider over HTTP is asked to end them, where its settings say how.`,
  },
  resume: {
    label: "Resume",
    title: "Resume",
    text: (it: Carrier) => `It takes up its queue at once: ${carried(it, it.queued)}.`,
  },
} as const;

interface Props {
  carrier: Carrier;
  hold: keyof typeof HOLDS;
}

export function HoldButton({ carrier, hold }: Props) {
  const { label, title, text } = HOLDS[hold];
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
        title={`${title} ${carrier.name}?`}
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
