// A campaign's outcomes by network, over time and by reason, counted from its delivery report as it is read.
// Invariant: the report is read piece by piece and only sums are kept, so that a large campaign costs little memory.
import type { ParseResult } from "papaparse";
import { type Group, type Groups, groupOf, NONE } from "./outcomes";

export interface Reason {
  status: string;
  reason: string;
  count: number;
}

export interface Breakdown {
  networks: { network: string; groups: Groups }[];
  reasons: Reason[];
  /** By the second: what was answered when. */
  seconds: Map<number, Moment>;
}

/** What became of messages in a stretch of time. */
export interface Moment {
  delivered: number;
  failed: number;
}

/** Reasons that are told apart; what comes after is counted together. */
const REASONS_MAX = 100;
const PIECE_BYTES = 256 * 1024;

/** Drawn without being asked for up to this many messages; above it, on a click. */
export const DRAWN_UNASKED = 5_000;
/** Above this nothing is drawn: the file is for a spreadsheet or a program. */
export const DRAWN_MAX = 500_000;
/** Of one line of the report, for saying beforehand what will be read. */
export const LINE_BYTES = 130;

type Line = Record<"to" | "status" | "reason" | "network" | "submitted_at" | "done_at", string | undefined>;

export async function breakdownOf(report: Blob): Promise<Breakdown> {
  const { default: Papa } = await import("papaparse");
  const count = counter();
  await new Promise<void>((done, failed) => {
    Papa.parse<Line>(new File([report], "report.csv"), {
      header: true,
      skipEmptyLines: true,
      chunkSize: PIECE_BYTES,
      chunk: ({ data }: ParseResult<Line>) => {
        for (const line of data) count.add(line);
      },
      complete: () => done(),
      error: failed,
    });
  });
  return count.result();
}

function counter() {
  const networks = new Map<string, Groups>();
  const reasons = new Map<string, Reason>();
  const seconds = new Map<number, Moment>();

  const add = (line: Line) => {
    const status = line.status ?? "";
    const group = groupOf(status);
    const network = line.network || "other";
    const groups = networks.get(network) ?? { ...NONE };
    groups[group] += 1;
    networks.set(network, groups);
    addMoment(seconds, group, line.done_at || line.submitted_at);
    if (group === "failed" || group === "unknown" || group === "unsent")
      addReason(reasons, status, line.reason);
  };

  const result = (): Breakdown => ({
    networks: [...networks]
      .map(([network, groups]) => ({ network, groups }))
      .sort((a, b) => total(b.groups) - total(a.groups) || a.network.localeCompare(b.network)),
    reasons: [...reasons.values()].sort((a, b) => b.count - a.count),
    seconds,
  });
  return { add, result };
}

function addMoment(seconds: Map<number, Moment>, group: Group, at: string | undefined): void {
  if (!at || (group !== "delivered" && group !== "failed")) return;
  const second = Math.floor(Date.parse(at) / 1_000);
  if (Number.isNaN(second)) return;
  const moment = seconds.get(second) ?? { delivered: 0, failed: 0 };
  moment[group] += 1;
  seconds.set(second, moment);
}

function addReason(reasons: Map<string, Reason>, status: string, said: string | undefined): void {
  let reason = said || "No reason was given";
  let key = `${status} ${reason}`;
  if (!reasons.has(key) && reasons.size >= REASONS_MAX) {
    reason = "Other reasons";
    key = `${status} ${reason}`;
  }
  const known = reasons.get(key) ?? { status, reason, count: 0 };
  known.count += 1;
  reasons.set(key, known);
}

function total(groups: Groups): number {
  return Object.values(groups).reduce((sum, value) => sum + value, 0);
}

export interface Column extends Moment {
  /** Its beginning, in ms. */
  at: number;
}

export interface Timeline {
  /** How long one column is. */
  step_s: number;
  columns: Column[];
}

/** Lengths of a column that people count in, in seconds. */
const STEPS = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 86_400];
const COLUMNS_MAX = 48;

/** The seconds in columns of one length, without gaps; null where all happened within one second. */
export function timeline(seconds: ReadonlyMap<number, Moment>): Timeline | null {
  if (seconds.size < 2) return null;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const second of seconds.keys()) {
    from = Math.min(from, second);
    to = Math.max(to, second);
  }
  const fits = (step: number) => Math.floor(to / step) - Math.floor(from / step) < COLUMNS_MAX;
  const step = STEPS.find(fits) ?? Math.ceil((to - from + 1) / (COLUMNS_MAX - 1));
  const first = Math.floor(from / step);
  const columns: Column[] = Array.from({ length: Math.floor(to / step) - first + 1 }, (_, place) => ({
    at: (first + place) * step * 1_000,
    delivered: 0,
    failed: 0,
  }));
  for (const [second, moment] of seconds) {
    const column = columns[Math.floor(second / step) - first];
    if (!column) continue;
    column.delivered += moment.delivered;
    column.failed += moment.failed;
  }
  return { step_s: step, columns };
}
