// A campaign's outcomes by network, over time and by reason: what the daemon counted, in the groups that are drawn.
import { api, ask } from "../../api/client";
import type { components } from "../../api/schema";
import { failedOf, type Groups, NONE } from "./outcomes";

export type Breakdown = components["schemas"]["Breakdown"];
type NetworkOutcome = components["schemas"]["NetworkOutcome"];

export function breakdown(id: number): Promise<Breakdown> {
  return ask(api.GET("/api/campaigns/{id}/breakdown", { params: { path: { id } } }));
}

/** `over`: what is not handed to the carrier by now never will be. */
export function groupsOf(it: NetworkOutcome, over: boolean): Groups {
  const failed = failedOf(it);
  const rest = Math.max(0, it.ordered - it.delivered - it.awaited - failed - it.unknown);
  const known = { ...NONE, delivered: it.delivered, awaited: it.awaited, failed, unknown: it.unknown };
  return over ? { ...known, unsent: rest } : { ...known, waiting: rest };
}

export interface Column {
  /** Its beginning, in ms. */
  at: number;
  delivered: number;
  failed: number;
}

export interface Timeline {
  /** How long one column is. */
  step_s: number;
  columns: Column[];
}

/** Beyond this a gap is not drawn: a receipt of days later would make all else a line. */
const COLUMNS_MAX = 240;

/** The stretches in which something came of messages as columns without gaps. */
export function timeline({ buckets, bucket_s }: Breakdown): Timeline {
  const busy = buckets
    .filter((it) => it.delivered + it.failed > 0)
    .map(({ at, delivered, failed }) => ({ at: Date.parse(at), delivered, failed }));
  const [first] = busy;
  const last = busy.at(-1);
  const step = bucket_s * 1_000;
  if (!first || !last || step <= 0) return { step_s: bucket_s, columns: busy };
  const length = Math.round((last.at - first.at) / step) + 1;
  if (length > COLUMNS_MAX) return { step_s: bucket_s, columns: busy };
  const columns = Array.from({ length }, (_, place) => ({
    at: first.at + place * step,
    delivered: 0,
    failed: 0,
  }));
  for (const it of busy) columns[Math.round((it.at - first.at) / step)] = it;
  return { step_s: bucket_s, columns };
}
