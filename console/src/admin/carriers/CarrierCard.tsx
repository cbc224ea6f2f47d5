// One carrier: whether it is up and open, how busy it is, what waits at it, and what can be done to it.

import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import MuiLink from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link } from "react-router-dom";
import { HEALTH_TONES, STATE_TONES, toneOf } from "../../design/carrier";
import { count } from "../../design/count";
import { duration } from "../../design/duration";
import { DateTime, StatusChip } from "../../design/values";
import { addressOf, filtered } from "../address";
import { Breakers } from "./Breakers";
import { CallFigures } from "./CallFigures";
import {
  type Carrier,
  canDrain,
  canHangUp,
  canPause,
  canReroute,
  canResume,
  canTest,
  isTrunk,
} from "./carrier";
import { Figure, Small } from "./Figure";
import { HoldButton } from "./HoldButton";
import { RerouteButton } from "./RerouteButton";
import { TestMessageButton } from "./TestMessageButton";

interface Props {
  carrier: Carrier;
  all: readonly Carrier[];
  /** On the carrier's own page its name leads nowhere. */
  alone?: boolean;
}

export function CarrierCard({ carrier: it, all, alone }: Props) {
  return (
    <Card component="section" aria-label={`Carrier ${it.name}`} sx={{ p: 2.5 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mb: 1.5 }}>
        <Typography component="h2" variant="h2">
          {alone ? (
            it.name
          ) : (
            <MuiLink
              component={Link}
              to={addressOf(`carriers/${encodeURIComponent(it.name)}`)}
              color="inherit"
            >
              {it.name}
            </MuiLink>
          )}
        </Typography>
        <Typography color="textSecondary">{it.kind || "not configured any more"}</Typography>
        <StatusChip status={it.health} tone={toneOf(HEALTH_TONES, it.health)} />
        <StatusChip status={it.state} tone={toneOf(STATE_TONES, it.state)} />
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, ml: "auto" }}>
          {canResume(it) && <HoldButton carrier={it} hold="resume" />}
          {canPause(it) && <HoldButton carrier={it} hold="pause" />}
          {canDrain(it) && <HoldButton carrier={it} hold="drain" />}
          {canHangUp(it) && <HoldButton carrier={it} hold="hangUp" />}
          {canReroute(it) && <RerouteButton carrier={it} others={all} />}
          {canTest(it) && <TestMessageButton name={it.name} />}
        </Box>
      </Box>
      {it.reason && (
        <Alert severity={it.health === "up" ? "info" : "error"} sx={{ mb: 2 }}>
          {it.health === "refusing"
            ? `It refuses every message: ${it.reason.replace(/\.$/, "")}. A test shows whether it takes them again.`
            : it.reason}
        </Alert>
      )}
      <Breakers carrier={it} />
      {it.state !== "open" && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
          {it.state_by ? `By ${it.state_by}` : "So"} since <DateTime value={it.state_since} />
          {it.state_reason && `: ${it.state_reason}`}
        </Typography>
      )}
      <Box
        component="dl"
        sx={{
          display: "grid",
          gridTemplateColumns: "repeat(auto-fill, minmax(min(150px, 40%), 1fr))",
          gap: 2,
          m: 0,
        }}
      >
        <Figure name="Waiting">
          {count(it.queued)}
          {it.queued_later > 0 && <Small>and {count(it.queued_later)} scheduled or paused</Small>}
          {it.queued_notices > 0 && <Small>and {count(it.queued_notices)} of the platform's own</Small>}
        </Figure>
        <Figure name="Oldest waits">
          {it.oldest_queued_s === null || it.oldest_queued_s === undefined
            ? "-"
            : duration(it.oldest_queued_s)}
        </Figure>
        <Figure name="In flight">
          {count(it.in_flight)}
          {it.oldest_lease_at && (
            <Small>
              since <DateTime value={it.oldest_lease_at} />
            </Small>
          )}
        </Figure>
        {it.calls ? <CallFigures carrier={it} calls={it.calls} /> : <MessageFigures carrier={it} />}
        <Figure name={isTrunk(it) ? "Unknown calls" : "Unknown messages"}>
          {it.unknown_messages > 0 ? (
            <MuiLink component={Link} to={filtered("unknown-messages", { carrier: it.name })}>
              {count(it.unknown_messages)}
            </MuiLink>
          ) : (
            "0"
          )}
        </Figure>
      </Box>
      <Binds carrier={it} />
    </Card>
  );
}

function Binds({ carrier: it }: { carrier: Carrier }) {
  return (
    <Box component="ul" aria-label="Connections" sx={{ listStyle: "none", m: 0, mt: 2, p: 0 }}>
      {it.binds.map((bind) => (
        <Box
          component="li"
          key={`${bind.role}${bind.state}${bind.since ?? ""}`}
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "baseline",
            columnGap: 1.5,
            py: 0.75,
            borderTop: 1,
            borderColor: "divider",
          }}
        >
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {bind.role}
          </Typography>
          <StatusChip
            status={bind.state}
            tone={bind.state === "bound" ? "success" : bind.state === "refused" ? "error" : "warning"}
          />
          <Typography variant="body2" color="textSecondary">
            {bind.since && (
              <>
                since <DateTime value={bind.since} />
              </>
            )}
            {bind.reason && `: ${bind.reason}`}
          </Typography>
        </Box>
      ))}
      {it.seen_at && (
        <Typography variant="caption" color="textSecondary" component="li" sx={{ pt: 0.75 }}>
          As the daemon that holds it saw it at <DateTime value={it.seen_at} />
        </Typography>
      )}
    </Box>
  );
}

/** How busy a carrier of messages is. */
function MessageFigures({ carrier: it }: { carrier: Carrier }) {
  return (
    <>
      <Figure name="Window">
        {it.window === null || it.window === undefined
          ? "-"
          : `${count(it.window_used ?? 0)} of ${count(it.window)}`}
      </Figure>
      <Figure name="Rate">
        {it.rate_now === null || it.rate_now === undefined ? "-" : `${count(it.rate_now)} a second`}
        <Small>{it.rate === 0 ? "no bound" : `at most ${count(it.rate)}`}</Small>
        {it.throttled && <Small>asked for less</Small>}
      </Figure>
      <Figure name="Receipts take">
        {it.receipt_lag ? milliseconds(it.receipt_lag.p50_ms) : "-"}
        {it.receipt_lag && <Small>95 of 100 within {milliseconds(it.receipt_lag.p95_ms)}</Small>}
      </Figure>
      <Figure name="Unmatched receipts">{count(it.unmatched_receipts)}</Figure>
    </>
  );
}

/** `850` as `850 ms`, `2300` as `2.3 s`, in whole tenths. */
export function milliseconds(value: number): string {
  if (value < 1_000) return `${value} ms`;
  if (value < 60_000) return `${Math.trunc(value / 1_000)}.${Math.trunc((value % 1_000) / 100)} s`;
  return duration(Math.trunc(value / 1_000));
}
