// Asked before what cannot be taken back. The body says what will happen, in numbers where there are some.
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import TextField from "@mui/material/TextField";
import { type ReactNode, type RefObject, useId, useState } from "react";

interface Props {
  open: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** While the request runs the dialog can neither be confirmed again nor left. */
  busy?: boolean;
  /** Where confirming is not possible, whatever the dialog shows. */
  disabled?: boolean;
  maxWidth?: "xs" | "sm" | "md";
  /** A word that has to be typed first, such as the name of what is deleted for good. */
  typed?: string;
  /** What is decided about, in short: between the body, which may scroll, and the buttons. */
  summary?: ReactNode;
  /**
   * The button that it came after, where that waited for an answer first: a waiting button gives up the keyboard, so
   * the dialog does not know whom to give it back to.
   */
  opener?: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: Props) {
  const id = useId();
  const {
    open,
    title,
    children,
    confirm,
    cancel = "Cancel",
    danger,
    busy,
    disabled,
    typed,
    maxWidth = "sm",
  } = props;
  const [written, setWritten] = useState("");
  return (
    <Dialog
      open={open}
      onClose={busy ? undefined : props.onClose}
      aria-labelledby={id}
      fullWidth
      maxWidth={maxWidth}
      slotProps={{
        transition: {
          onExited: (dialog: HTMLElement) => {
            setWritten("");
            const active = document.activeElement;
            if (active === document.body || dialog.contains(active)) props.opener?.current?.focus();
          },
        },
      }}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      {/* It may be longer than the screen, with nothing in it to move to. */}
      <DialogContent tabIndex={0}>
        {children}
        {typed !== undefined && (
          <TextField
            label={`Type ${typed} to confirm`}
            value={written}
            onChange={(event) => setWritten(event.target.value)}
            autoComplete="off"
            sx={{ mt: 2.5 }}
            slotProps={{ htmlInput: { autoCapitalize: "none", spellCheck: false } }}
          />
        )}
      </DialogContent>
      {props.summary}
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={props.onClose} disabled={busy} color="inherit">
          {cancel}
        </Button>
        <Button
          variant="contained"
          color={danger ? "error" : "primary"}
          onClick={props.onConfirm}
          disabled={busy || disabled || (typed !== undefined && written !== typed)}
          startIcon={busy ? <CircularProgress size={16} color="inherit" aria-label="Working" /> : undefined}
        >
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
