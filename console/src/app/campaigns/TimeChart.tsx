// What was delivered and what failed, when. The same figures are in a table below, for screen readers.
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { count } from "../../design/count";
import { formatDateTime, viewerZone } from "../../design/dateTime";
import type { Column, Timeline } from "./breakdown";
import { useOutcomeColour } from "./OutcomeBar";

const HEIGHT = 160;

export function TimeChart({ timeline }: { timeline: Timeline }) {
  const colour = useOutcomeColour();
  const { columns, step_s } = timeline;
  const most = Math.max(1, ...columns.map((it) => it.delivered + it.failed));
  const first = columns[0];
  const last = columns.at(-1);
  const peak = columns.reduce((one, other) => (total(other) > total(one) ? other : one));
  const scaled = (value: number) => (value * HEIGHT) / most;
  return (
    <Box>
      <Box sx={{ display: "flex", gap: 1 }}>
        <Axis most={most} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box
            component="svg"
            role="img"
            aria-label={`Outcomes over time, a column for ${stepName(step_s)}: most, ${count(total(peak))}, at ${clock(peak.at, step_s)}`}
            viewBox={`0 0 ${columns.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            sx={{ display: "block", width: "100%", height: HEIGHT, borderBottom: 1, borderColor: "divider" }}
          >
            {columns.map((it, place) => (
              <g key={it.at}>
                <rect
                  x={place + 0.1}
                  width={0.8}
                  y={HEIGHT - scaled(it.delivered)}
                  height={scaled(it.delivered)}
                  fill={colour("delivered")}
                />
                <rect
                  x={place + 0.1}
                  width={0.8}
                  y={HEIGHT - scaled(it.delivered + it.failed)}
                  height={scaled(it.failed)}
                  fill={colour("failed")}
                />
              </g>
            ))}
          </Box>
          <Box sx={{ display: "flex", justifyContent: "space-between", mt: 0.5 }} aria-hidden>
            {first && <Tick at={first.at} step={step_s} />}
            {last && last !== first && <Tick at={last.at} step={step_s} />}
          </Box>
        </Box>
      </Box>
    </Box>
  );
}

function total(column: Column): number {
  return column.delivered + column.failed;
}

function Axis({ most }: { most: number }) {
  return (
    <Box
      aria-hidden
      sx={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        textAlign: "right",
        height: HEIGHT,
      }}
    >
      <Typography variant="caption" color="textSecondary">
        {count(most)}
      </Typography>
      <Typography variant="caption" color="textSecondary">
        0
      </Typography>
    </Box>
  );
}

function Tick({ at, step }: { at: number; step: number }) {
  return (
    <Typography variant="caption" color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
      {clock(at, step)}
    </Typography>
  );
}

/** `2026-11-21 22:21`, with seconds where columns are shorter than a minute. */
export function clock(at: number, step_s: number): string {
  const minute = formatDateTime(at, viewerZone());
  if (step_s >= 60) return minute;
  // Zones differ by whole minutes.
  return `${minute}:${String(Math.floor(at / 1_000) % 60).padStart(2, "0")}`;
}

export function stepName(step_s: number): string {
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  for (const [size, name] of units) {
    if (step_s % size !== 0) continue;
    const many = step_s / size;
    return many === 1 ? `one ${name}` : `${many} ${name}s`;
  }
  return `${step_s} seconds`;
}
