// The platform's figures as the first page reads them, and what is reckoned from them: rates, hours without traffic,
// and what waits for a person. Counts are whole numbers; money stays as the daemon wrote it.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { failedOf } from "../../design/campaign/outcomes";

export type Figures = components["schemas"]["Figures"];
export type Traffic = components["schemas"]["Traffic"];
export type Carrier = components["schemas"]["Carrier"];

/** What the page can look back to, in hours; the daemon's bound is a week. */
export const WINDOWS = [
  { hours: 1, label: "Last hour" },
  { hours: 24, label: "Last 24 hours" },
  { hours: 72, label: "Last 3 days" },
  { hours: 168, label: "Last 7 days" },
] as const;
export const USUAL_HOURS = 24;

/** The page is kept open: where it is not told of changes it refreshes by itself, but not while the tab is hidden. */
export const REFRESH_MS = 15_000;

const kept = { refetchInterval: REFRESH_MS, refetchIntervalInBackground: false } as const;

/** `streams` while their events are read. */
export function figuresQuery(hours: number, streams = false) {
  return queryOptions({
    queryKey: own("figures", hours),
    queryFn: () => ask(api.GET("/admin/figures", { params: { query: { hours } } })),
    ...kept,
    refetchInterval: !streams && REFRESH_MS,
  });
}

export interface Waiting {
  senders: number;
  numbers: number;
  payments: number;
}

/** How many of each wait for an administrator. One row of each list is read for its total. */
export function waitingQuery() {
  return queryOptions({
    queryKey: own("waiting"),
    queryFn: async (): Promise<Waiting> => {
      const pending = { params: { query: { status: "pending", page: 1, per_page: 1 } } };
      const mismatch = { params: { query: { status: "mismatch", page: 1, per_page: 1 } } };
      const [senders, numbers, payments] = await Promise.all([
        ask(api.GET("/admin/get-sender-ids", pending)),
        ask(api.GET("/admin/get-virtual-numbers", pending)),
        ask(api.GET("/admin/payments", mismatch)),
      ]);
      return { senders: senders.total, numbers: numbers.total, payments: payments.total };
    },
    ...kept,
  });
}

export interface Hour {
  /** Its beginning, as the daemon writes it. */
  hour: string;
  ordered: number;
  delivered: number;
  awaited: number;
  failed: number;
  unknown: number;
  /** Not handed to a carrier, or never sent. */
  rest: number;
}

const HOUR_MS = 3_600_000;

/** One entry for every hour from `from` to `now`, also for those without traffic, so that time runs evenly. */
export function everyHour(figures: Pick<Figures, "from" | "hours">, now: number): Hour[] {
  const found = new Map(figures.hours.map((it) => [Date.parse(it.hour), it]));
  const first = Math.floor(Date.parse(figures.from) / HOUR_MS) * HOUR_MS;
  const all: Hour[] = [];
  for (let at = first; at <= now; at += HOUR_MS) {
    const it = found.get(at);
    const failed = it ? failedOf(it) : 0;
    const known = it ? it.delivered + it.awaited + failed + it.unknown : 0;
    all.push({
      hour: new Date(at).toISOString(),
      ordered: it?.ordered ?? 0,
      delivered: it?.delivered ?? 0,
      awaited: it?.awaited ?? 0,
      failed,
      unknown: it?.unknown ?? 0,
      rest: Math.max(0, (it?.ordered ?? 0) - known),
    });
  }
  return all;
}
