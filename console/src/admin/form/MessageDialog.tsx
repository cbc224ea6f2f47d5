// Writes to one user or to all of them, and says first to how many.
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, ask, freshKey } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { useAction } from "../action";

export const ALL_USERS = "all-users";
export type Recipient = { id: number; username: string } | typeof ALL_USERS;

const PAGE = 156;
const PAGES = 6;

interface Props {
  to: Recipient | null;
  open: boolean;
  onClose: () => void;
}

export function MessageDialog({ to, open, onClose }: Props) {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const [key, setKey] = useState("");
  // One key while the dialog is open: tried again after a silence, it is still one message.
  useEffect(() => {
    if (!open) return;
    setText("");
    setRefused(null);
    setKey(freshKey());
  }, [open]);
  const sending = useAction("message-users", "send", {
    onDone: onClose,
    onFailed: (problem) =>
      setRefused((problem instanceof ApiProblem && problem.field("message")) || messageOf(problem)),
  });
  const all = to === ALL_USERS;
  const length = [...text].length;
  return (
    <ConfirmDialog
      open={open}
      title={all ? "Message all users" : `Message ${to?.username ?? ""}`}
      confirm={all ? "Send to all" : "Send"}
      busy={sending.isPending}
      onClose={onClose}
      onConfirm={() => {
        if (!text.trim()) return setRefused("Please enter a message");
        setRefused(null);
        sending.mutate({ id: all || !to ? ALL_USERS : to.id, data: { message: text, key } });
      }}
    >
      {all && open && <Reach />}
      <TextField
        label="Message"
        multiline
        minRows={5}
        autoFocus
        value={text}
        disabled={sending.isPending}
        onChange={(event) => {
          setText(event.target.value);
          // Another text is another message.
          setKey(freshKey());
        }}
        error={refused !== null}
        helperText={
          refused ?? `${length} characters, ${Math.ceil(length / PAGE)} of at most ${PAGES} pages of ${PAGE}`
        }
        sx={{ mt: 1 }}
      />
    </ConfirmDialog>
  );
}

function Reach() {
  const counting = useQuery({
    queryKey: own("customers-in-all"),
    queryFn: async () => {
      const query = { role: "user", page: 1, per_page: 1 };
      return (await ask(api.GET("/admin/users", { params: { query } }))).total;
    },
  });
  return (
    <Typography sx={{ mb: 1 }} aria-busy={counting.isPending}>
      {counting.data?.toLocaleString("en") ?? "…"} users get it, active and inactive ones. It cannot be called
      back.
    </Typography>
  );
}
