// The code from the mailbox, at the first sign-in from an address that is not proven yet.
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { CodeBoxes, complete } from "../../design/CodeBoxes";
import { ResendCode } from "../../design/ResendCode";
import { type SignedIn, verifyEmail } from "./signIn";

/** The daemon's cooldown is in its answers to later requests; the first is assumed to be a minute. */
const FIRST_RESEND_S = 60;

interface Props {
  username: string;
  /** What the daemon said of the code. */
  message: string;
  onSignedIn: (answer: SignedIn) => void;
  onClose: () => void;
}

export function EmailCodeDialog({ username, message, onSignedIn, onClose }: Props) {
  const id = useId();
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const verifying = useMutation({
    mutationFn: (entered: string) => verifyEmail(username, entered),
    onSuccess: onSignedIn,
    onError: (problem) => setError(messageOf(problem)),
  });
  const submit = (entered: string) => {
    if (verifying.isPending) return;
    if (!complete(entered)) return setError("Enter all 6 digits");
    setError(null);
    verifying.mutate(entered);
  };
  return (
    <Dialog
      open
      onClose={verifying.isPending ? undefined : onClose}
      aria-labelledby={id}
      maxWidth="xs"
      fullWidth
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(code);
        }}
      >
        <DialogTitle id={id}>Check your mailbox</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2 }}>
            <Typography color="textSecondary">{message}</Typography>
            <CodeBoxes
              label="6-digit code"
              value={code}
              onChange={setCode}
              onComplete={submit}
              error={error}
              autoFocus
            />
            <ResendCode
              afterS={FIRST_RESEND_S}
              send={() => ask(api.POST("/api/verify/email/resend", { body: { username } }))}
            />
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button color="inherit" onClick={onClose} disabled={verifying.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={verifying.isPending}>
            Verify
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
