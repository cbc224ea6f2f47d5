// Refusing sender IDs: one reason, which their owners are told.
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { reasonProblem, type SenderId } from "./transitions";

interface Props {
  open: boolean;
  rows: readonly SenderId[];
  busy: boolean;
  /** What the daemon said of the reason. */
  refused?: string | null;
  children?: ReactNode;
  onReject: (reason: string) => void;
  onClose: () => void;
}

export function RejectDialog({ open, rows, busy, refused, children, onReject, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const [only] = rows;
  const approved = rows.filter((it) => it.status === "approved").length;
  const problem = (tried ? reasonProblem(reason) : null) ?? refused;
  return (
    <ConfirmDialog
      open={open}
      title={rows.length === 1 && only ? `Reject “${only.sender_id}”?` : `Reject ${rows.length} sender IDs?`}
      confirm={rows.length === 1 ? "Reject" : `Reject ${rows.length}`}
      danger
      busy={busy}
      disabled={rows.length === 0}
      onConfirm={() => {
        setTried(true);
        if (!reasonProblem(reason)) onReject(reason.trim());
      }}
      onClose={onClose}
    >
      <Typography sx={{ mb: 2 }}>
        {rows.length === 1 && only ? `${only.username ?? "Its owner"} is told` : "Their owners are told"} why.{" "}
        {approved > 0 &&
          `${approved === 1 ? "1 is" : `${approved} are`} approved now: campaigns that are being sent from ${approved === 1 ? "it" : "them"} pause, and their money stays reserved.`}
      </Typography>
      <TextField
        label="Reason"
        required
        multiline
        minRows={3}
        autoFocus
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={Boolean(problem)}
        helperText={problem ?? "For the owner; at most 500 characters."}
      />
      {children}
    </ConfirmDialog>
  );
}
