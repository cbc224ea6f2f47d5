// A short form in a dialog. Render it only while it is open, so that each opening starts again.
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import { type FormEvent, type ReactNode, useId, useRef } from "react";
import { FormAlert } from "./states";

interface Props {
  title: string;
  submit: string;
  busy: boolean;
  /** What belongs to no field. */
  problem?: string | null;
  children: ReactNode;
  maxWidth?: "xs" | "sm" | "md";
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
}

export function FormDialog(props: Props) {
  const { title, submit, busy, problem, children, maxWidth = "sm", onSubmit, onClose } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  return (
    <Dialog
      open
      fullWidth
      maxWidth={maxWidth}
      aria-labelledby={id}
      onClose={busy ? undefined : onClose}
      slotProps={{
        transition: {
          onEntered: () => focusFirstField(form.current),
        },
      }}
    >
      <form ref={form} noValidate onSubmit={onSubmit}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <FormAlert text={problem} />
          <Stack sx={{ gap: 2, pt: 1 }}>{children}</Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose} disabled={busy} color="inherit">
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={busy}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Leaves the focus in a field, where a quick user has put it, and in a dialog that has opened on top since. */
function focusFirstField(form: HTMLFormElement | null) {
  const focused = document.activeElement;
  if (form?.contains(focused)) return;
  const dialog = form?.closest(".MuiDialog-root");
  if (focused !== document.body && !dialog?.contains(focused)) return;
  form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}
