// One message over one carrier, outside any campaign and free of charge; also while it is paused.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { FormAlert } from "../../design/states";
import { StatusChip } from "../../design/values";

type Test = components["schemas"]["CarrierTest"];

const ASK_AGAIN_MS = 2_000;

export function TestMessageButton({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-label={`Send a test over ${name}`}
        onClick={() => setOpen(true)}
      >
        Test
      </Button>
      {open && <TestMessageDialog name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function TestMessageDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [to, setTo] = useState("");
  const [message, setMessage] = useState("This is a test.");
  const sending = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/admin/carriers/{name}/test", {
          params: { path: { name } },
          // The answer comes at once; its receipt is asked for below.
          body: { to: to.trim(), message: message.trim(), wait_s: 0 },
        }),
      ),
  });
  const problem = sending.error instanceof ApiProblem ? sending.error : null;
  const wrong = problem?.field("to");
  return (
    <ConfirmDialog
      open
      title={`Send a test over ${name}`}
      confirm={sending.data ? "Send another" : "Send"}
      cancel="Close"
      busy={sending.isPending}
      disabled={!to.trim()}
      onConfirm={() => sending.mutate()}
      onClose={onClose}
    >
      <FormAlert text={sending.isError && !wrong ? messageOf(sending.error) : null} />
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        It goes out at once, also while the carrier is paused, and is charged to no account. At most ten a
        minute.
      </Typography>
      <Stack sx={{ gap: 2 }}>
        <TextField
          label="To"
          type="tel"
          autoFocus
          required
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={Boolean(wrong)}
          helperText={wrong ?? "A phone that you can look at: 08031234567"}
        />
        <TextField
          label="Message"
          multiline
          minRows={2}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      </Stack>
      {sending.data && <Answer key={sending.data.id} first={sending.data} />}
    </ConfirmDialog>
  );
}

/** What became of it so far; asked for until nothing more will be heard. */
function Answer({ first }: { first: Test }) {
  const { data: test } = useQuery({
    queryKey: own("carrier-test", first.id),
    queryFn: () => ask(api.GET("/admin/carrier-tests/{id}", { params: { path: { id: first.id } } })),
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.over ? false : ASK_AGAIN_MS),
  });
  const failed = ["failed", "undelivered", "expired"].includes(test.status);
  return (
    <Alert
      severity={failed ? "error" : test.status === "delivered" ? "success" : "info"}
      sx={{ mt: 2 }}
      aria-live="polite"
    >
      <StatusChip status={test.status} /> {test.message}
      {test.error && <div>Code: {test.error}</div>}
      {test.references.length > 0 && <div>The carrier's reference: {test.references.join(", ")}</div>}
    </Alert>
  );
}
