// What the last 14 days were: messages by day, the rate, and what was charged, reckoned from the campaigns themselves.
// Counts are whole numbers and money is in micro-units, as everywhere.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import { type Campaign, type Failures, groups, sumOf } from "../../design/campaign/outcomes";
import { chargeOf } from "../../design/charge";
import { formatDate } from "../../design/dateTime";
import { amountOf, type Currency, micros } from "../../design/money";

export const DAYS = 14;
/** Of so many of the newest campaigns the figures are, whenever they were confirmed: one may start weeks later. Where these
 * do not reach back to the first day the page says so. */
const MOST = 300;
const DAY_MS = 86_400_000;

/** The last 14 days in the viewer's zone, oldest first, today the last. */
export function lastDays(now: number): string[] {
  return Array.from({ length: DAYS }, (_, at) => formatDate(now - (DAYS - 1 - at) * DAY_MS));
}

export function activityQuery() {
  return queryOptions({
    queryKey: own("campaigns", "activity"),
    queryFn: () => {
      const query = { page: 1, per_page: MOST, numbers: 0 };
      return ask(api.GET("/api/get-campaign-history", { params: { query } }));
    },
    staleTime: 30_000,
    // What moves is followed by its own events; this brings up the others.
    refetchInterval: ({ state }) => (state.data?.campaigns.some(moves) ? 15_000 : false),
  });
}

export const scheduledQuery = () =>
  queryOptions({
    queryKey: own("campaigns", "scheduled"),
    queryFn: () => {
      const query = {
        status: "scheduled",
        sort: "scheduled_at",
        order: "asc",
        page: 1,
        per_page: 5,
        numbers: 0,
      };
      return ask(api.GET("/api/get-campaign-history", { params: { query } }));
    },
  });

export const lastCampaignsQuery = () =>
  queryOptions({
    queryKey: own("campaigns", "last"),
    queryFn: () => {
      const query = { page: 1, per_page: 5, numbers: 0 };
      return ask(api.GET("/api/get-campaign-history", { params: { query } }));
    },
    refetchInterval: ({ state }) => (state.data?.campaigns.some(moves) ? 15_000 : false),
  });

/** Whether campaigns of the last 14 days may be older than these, the newest of so many. */
export function isCut(campaigns: readonly Campaign[], total: number, now: number): boolean {
  const oldest = campaigns.at(-1);
  return (
    oldest !== undefined &&
    total > campaigns.length &&
    formatDate(oldest.created_at) >= (lastDays(now)[0] ?? "")
  );
}

/** Whether its figures change by themselves. */
export function moves({ status, counts }: Campaign): boolean {
  return status === "sending" || counts.submitting > 0;
}

export interface Day {
  /** `YYYY-MM-DD`. */
  day: string;
  delivered: number;
  failed: number;
}

export interface Activity {
  days: Day[];
  messages: number;
  delivered: number;
  /** With the statuses by their names, for the rate. */
  ended: Failures & { delivered: number };
  charged: { currency: Currency; value: string }[];
}

/** Each campaign counts on the day it started, or was confirmed while it has not. */
export function activityOf(campaigns: readonly Campaign[], now: number): Activity {
  const days = lastDays(now).map((day): Day => ({ day, delivered: 0, failed: 0 }));
  const byDay = new Map(days.map((it) => [it.day, it]));
  const ended: Activity["ended"] = { delivered: 0, undelivered: 0, rejected: 0, expired: 0 };
  const charged = new Map<Currency, bigint>();
  let messages = 0;
  for (const campaign of campaigns) {
    const { counts } = campaign;
    const day = byDay.get(formatDate(campaign.started_at ?? campaign.created_at));
    if (!day) continue;
    const sums = groups(counts);
    day.delivered += sums.delivered;
    day.failed += sums.failed;
    messages += sumOf(sums) - sums.unsent - sums.waiting;
    for (const status of Object.keys(ended) as (keyof typeof ended)[]) ended[status] += counts[status];
    const charge = chargeOf(campaign);
    charged.set(charge.currency, (charged.get(charge.currency) ?? 0n) + (micros(charge.charged) ?? 0n));
  }
  return {
    days,
    messages,
    delivered: ended.delivered,
    ended,
    charged: [...charged]
      .filter(([, sum]) => sum !== 0n)
      .map(([currency, sum]) => ({ currency, value: amountOf(sum) })),
  };
}
