// What was delivered and what failed, when. The same figures are in a table below, for screen readers.
import { useMemo } from "react";
import type { Series } from "../chart/barsOf";
import { StackedBars } from "../chart/StackedBars";
import { count } from "../count";
import { formatDateTime, viewerZone } from "../dateTime";
import type { Column, Timeline } from "./breakdown";
import { colourOf } from "./OutcomeBar";

const HEIGHT = 200;

const SERIES: readonly Series[] = [
  { key: "delivered", label: "Delivered", colour: (theme) => colourOf(theme, "delivered") },
  { key: "failed", label: "Failed", colour: (theme) => colourOf(theme, "failed") },
];

/** `reached` is the word for what went well. */
export function TimeChart({ timeline, reached }: { timeline: Timeline; reached: string }) {
  const { columns, step_s } = timeline;
  const rows = useMemo(
    () => columns.map(({ at, delivered, failed }) => ({ name: String(at), delivered, failed })),
    [columns],
  );
  const peak = columns.reduce((one, other) => (total(other) > total(one) ? other : one));
  const days = (columns.at(-1)?.at ?? 0) - (columns[0]?.at ?? 0) > 2 * 86_400_000;
  return (
    <StackedBars
      label={`Outcomes over time, a column for ${stepName(step_s)}: most, ${count(total(peak))}, at ${clock(peak.at, step_s)}`}
      rows={rows}
      series={SERIES.map((it) => (it.key === "delivered" ? { ...it, label: reached } : it))}
      height={HEIGHT}
      tick={(name) =>
        days ? clock(Number(name), step_s).slice(5, 16) : clock(Number(name), step_s).slice(11)
      }
      title={(name) => `${clock(Number(name), step_s)}, ${stepName(step_s)}`}
    />
  );
}

function total(column: Column): number {
  return column.delivered + column.failed;
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
