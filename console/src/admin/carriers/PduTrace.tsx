// What goes over the wire to a carrier, for a bounded time: masked by the daemon, which shows no text, password or whole
// number. Follows while it is on.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRefresh } from "react-admin";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import { ErrorState } from "../../design/states";
import { toast } from "../../design/toasts";
import { MONO } from "../../design/tokens";
import { DateTime } from "../../design/values";
import type { Carrier } from "./carrier";

const FOLLOW_MS = 2_000;
const SPAN_S = 300;

export function PduTrace({ carrier: { name } }: { carrier: Carrier }) {
  const refresh = useRefresh();
  const params = { path: { name } };
  const { data, error, refetch } = useQuery({
    queryKey: own("carrier-trace", name),
    queryFn: () => ask(api.GET("/admin/carriers/{name}/trace", { params })),
    refetchInterval: ({ state }) => (state.data?.until ? FOLLOW_MS : false),
    refetchIntervalInBackground: false,
  });
  const switching = useMutation({
    mutationFn: (seconds: number) =>
      ask(api.POST("/admin/carriers/{name}/trace", { params, body: { seconds } })),
    onSuccess: () => refresh(),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const on = Boolean(data?.until);
  return (
    <Card component="section" aria-labelledby="trace" sx={{ mt: 2 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5, p: 2.5 }}>
        <Box sx={{ flex: 1, minWidth: 220 }}>
          <Typography id="trace" variant="h2">
            Trace
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {on ? (
              <>
                On until <DateTime value={data?.until} />; the last {data?.lines.length} lines.
              </>
            ) : (
              "Off. Numbers are masked and texts replaced by their length; it ends by itself after five minutes."
            )}
          </Typography>
        </Box>
        <Button
          variant="outlined"
          loading={switching.isPending}
          onClick={() => switching.mutate(on ? 0 : SPAN_S)}
        >
          {on ? "End the trace" : "Trace for 5 minutes"}
        </Button>
      </Box>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && data.lines.length === 0 && on && (
        <Alert severity="info" sx={{ mx: 2.5, mb: 2.5 }}>
          Nothing went over the wire yet. A test message shows whether it does.
        </Alert>
      )}
      {data && data.lines.length > 0 && (
        <Box
          role="log"
          aria-label={`Trace of ${name}`}
          tabIndex={0}
          sx={{
            p: 2.5,
            pt: 0,
            maxHeight: 420,
            overflow: "auto",
            fontFamily: MONO,
            fontSize: "0.8125rem",
          }}
        >
          {data.lines.map((it) => (
            <Box key={it.sequence} sx={{ py: 0.25, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              <Box component="span" sx={{ color: "text.secondary" }}>
                {clock(it.at)}
              </Box>{" "}
              {it.line}
            </Box>
          ))}
        </Box>
      )}
    </Card>
  );
}

/** The time of day to the millisecond, as the daemon wrote it, in UTC: a trace is read beside the carrier's. */
function clock(at: string): string {
  return at.slice(11, 23);
}
