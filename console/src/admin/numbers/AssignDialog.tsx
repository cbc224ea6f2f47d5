// Assigning a virtual number: to the user who asked, or without a request. The id is the user's, as the specification
// has it.
import { zodResolver } from "@hookform/resolvers/zod";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { FormField, placeProblem } from "../../design/form";
import { FormAlert } from "../../design/states";
import { useAction } from "../action";

const form = z.object({
  virtual_num: z.string().trim().min(1, "Kindly input User's number"),
  user_id: z
    .string()
    .trim()
    .min(1, "Kindly input User's ID")
    .regex(/^\d+$/, "A user's ID is a whole number: it stands in the list of users"),
});

interface Props {
  /** Whose request it answers; empty for none. */
  user: { id: number; name: string } | null;
  onClose: () => void;
}

export default function AssignDialog({ user, onClose }: Props) {
  const title = useId();
  const [alert, setAlert] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm({
    resolver: zodResolver(form),
    defaultValues: { virtual_num: "", user_id: user ? String(user.id) : "" },
  });
  const assigning = useAction("approve-virtualNumber", "assign", {
    onDone: onClose,
    onFailed: (problem) =>
      setAlert(placeProblem(problem, setError, ["virtual_num", "user_id"], { id: "user_id" })),
  });
  const submit = handleSubmit(({ virtual_num, user_id }) => {
    setAlert(null);
    assigning.mutate({ id: Number(user_id), data: { virtual_num } });
  });
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      aria-labelledby={title}
      onClose={assigning.isPending ? undefined : onClose}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogTitle id={title}>Assign Virtual Number</DialogTitle>
        <DialogContent>
          <Typography color="textSecondary" sx={{ mb: 2 }}>
            {user
              ? `${user.name} can use it at once, and the oldest request is answered by it.`
              : "The user can use it at once; the oldest request, if there is one, is answered by it."}
          </Typography>
          <FormAlert text={alert} />
          <Stack sx={{ gap: 2, pt: 0.5 }}>
            <FormField
              name="virtual_num"
              control={control}
              label="Number"
              autoFocus
              inputMode="tel"
              helperText="International, or Nigerian with its 0: 07001234567"
            />
            <FormField name="user_id" control={control} label="User ID" inputMode="numeric" />
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button color="inherit" onClick={onClose} disabled={assigning.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={assigning.isPending}>
            Assign
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
