// A secret that is shown once. It leaves only by the button that says it was kept: not by Escape, not by a click beside.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import { type ReactNode, useId } from "react";
import { Copyable } from "./Copyable";

interface Props {
  title: string;
  label: string;
  secret: string;
  children: ReactNode;
  onClose: () => void;
}

export function SecretDialog({ title, label, secret, children, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="warning" variant="outlined">
            Keep it now: it is not shown again.
          </Alert>
          <Copyable value={secret} label={label} />
          {children}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button variant="contained" onClick={onClose}>
          I have saved it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
