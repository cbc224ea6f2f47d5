// Maintenance: a toggle and what visitors and customers are told. Turning it on asks first, in numbers.
import Alert from "@mui/material/Alert";
import Card from "@mui/material/Card";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useGetOne } from "react-admin";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { own } from "../../api/queries";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState, PageSkeleton } from "../../design/states";
import { DateTime } from "../../design/values";
import { useAction } from "../action";
import { SETTING_ID } from "../form/SettingPage";

export default function Maintenance() {
  const { data, isPending, error, refetch } = useGetOne("maintainance", { id: SETTING_ID });
  return (
    <>
      <PageHeader
        title="Maintenance"
        text="While it is on, visitors and customers see “We'll Be Back Soon” with your message. Administrators, running campaigns, receipts and payments under way go on."
      />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <PageSkeleton />
      ) : (
        <MaintenanceForm
          key={data.updated_at}
          on={data.maintenance_mode === "1"}
          message={data.message}
          since={data.updated_at}
        />
      )}
    </>
  );
}

function MaintenanceForm({ on, message, since }: { on: boolean; message: string; since: string | null }) {
  const [text, setText] = useState(message);
  const [refused, setRefused] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const switched = {
    onDone: () => setAsking(false),
    onFailed: (problem: unknown) => {
      setAsking(false);
      setRefused(problem instanceof ApiProblem ? problem.message : "Something went wrong");
    },
  };
  const enable = useAction("maintainance", "enable", switched);
  const disable = useAction("maintainance", "disable", switched);
  const busy = enable.isPending || disable.isPending;

  const toggle = () => {
    setRefused(null);
    if (on) disable.mutate({ id: SETTING_ID, data: { message: text } });
    else if (!text.trim()) setRefused("Please enter a message");
    else setAsking(true);
  };

  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 760 }}>
      <Stack sx={{ gap: 2 }}>
        <Alert severity={on ? "warning" : "success"} variant="outlined">
          {on ? "The website is currently in maintenance mode." : "The website is live for all users."}
          {since && (
            <>
              {" "}
              Since <DateTime value={since} />.
            </>
          )}
        </Alert>
        <TextField
          label="Message"
          multiline
          minRows={3}
          value={text}
          disabled={busy}
          onChange={(event) => setText(event.target.value)}
          error={refused !== null}
          helperText={
            refused ?? "What visitors and customers are told: what happens, and when you will be back."
          }
        />
        <FormControlLabel
          control={<Switch checked={on} disabled={busy} onChange={toggle} />}
          label="Maintenance mode"
        />
      </Stack>
      <ConfirmDialog
        open={asking}
        title="Turn maintenance on?"
        confirm="Turn it on"
        danger
        busy={enable.isPending}
        onConfirm={() => enable.mutate({ id: SETTING_ID, data: { message: text } })}
        onClose={() => setAsking(false)}
      >
        {asking && <Reach />}
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          They are told: {text}
        </Typography>
      </ConfirmDialog>
    </Card>
  );
}

/** Whom it shuts out, and what goes on. */
function Reach() {
  const reach = useQuery({
    queryKey: own("maintenance-reach"),
    queryFn: async () => {
      const [users, figures] = await Promise.all([
        ask(
          api.GET("/admin/get-all-active-users", {
            params: { query: { role: "user", page: 1, per_page: 1 } },
          }),
        ),
        ask(api.GET("/admin/figures", { params: { query: { hours: 1 } } })),
      ]);
      return { users: users.total, campaigns: figures.open_campaigns.sending };
    },
  });
  const counted = (count: number | undefined, one: string, many: string) =>
    `${count?.toLocaleString("en") ?? "…"} ${count === 1 ? one : many}`;
  return (
    <Typography aria-busy={reach.isPending}>
      {counted(reach.data?.users, "active customer", "active customers")} and every visitor are shut out
      within ten seconds.{" "}
      {counted(reach.data?.campaigns, "campaign that is sending goes", "campaigns that are sending go")} on.
    </Typography>
  );
}
