// A campaign as it goes: followed by its events; where they cannot be had, asked for again soon while something moves,
// ever more rarely while nothing does, and not at all once nothing can change.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, ask } from "../../api/client";
import { opened, useEvents } from "../../api/events";
import { balancesQuery, own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { Campaign } from "./outcomes";

export function isOver(campaign: Pick<Campaign, "status">): boolean {
  return ["completed", "cancelled", "failed"].includes(campaign.status);
}

/** What a poll can see change. */
function stampOf({ status, counts }: Campaign): string {
  return `${status} ${JSON.stringify(counts)}`;
}

const SECOND = 1_000;

/** Until the next look; false where there is none. `quiet` is for how long nothing has changed. */
export function nextPollMs(campaign: Campaign, quiet: number, now: number): number | false {
  if (isOver(campaign)) {
    // Receipts may come for days. After ten quiet minutes a reload is the way.
    const awaited = campaign.counts.submitted + campaign.counts.submitting > 0;
    if (!awaited || quiet > 600 * SECOND) return false;
    return slower(2 * SECOND, quiet);
  }
  if (campaign.status === "sending") return slower(1.5 * SECOND, quiet);
  const start = campaign.scheduled_at ? Date.parse(campaign.scheduled_at) : Number.NaN;
  const wait = start - now;
  if (campaign.status === "scheduled" && wait > 0) return Math.min(60 * SECOND, Math.max(SECOND, wait));
  return slower(3 * SECOND, quiet);
}

function slower(soonest: number, quiet: number): number {
  if (quiet < 10 * SECOND) return soonest;
  return quiet < 60 * SECOND ? 6 * SECOND : 20 * SECOND;
}

/** Whether its events say anything soon: it is sent now, or its receipts are awaited. */
function moves({ status, counts }: Campaign): boolean {
  if (status === "scheduled") return false;
  return status === "sending" || counts.submitted + counts.submitting > 0;
}

/** Its progress, until no receipt is awaited either. */
function campaignEvents(id: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const params = { path: { id }, query: { receipts: "1" } };
  return opened(api.GET("/api/campaigns/{id}/events", { params, parseAs: "stream", signal }));
}

export interface SendRate {
  /** Messages a second handed to the carrier, over the last looks; null while it is not known. */
  rate: number | null;
  /** Until all are submitted, at that rate. */
  remaining_s: number | null;
}

export interface Sample {
  at: number;
  handed: number;
}

const RATE_WINDOW_MS = 15 * SECOND;

/** What the last looks say of the pace. */
export function sendRateOf(looks: readonly Sample[], queued: number): SendRate {
  const last = looks.at(-1);
  const first = looks.find((look) => last && last.at - look.at <= RATE_WINDOW_MS);
  if (!first || !last || last.at - first.at < SECOND) return { rate: null, remaining_s: null };
  const rate = ((last.handed - first.handed) * SECOND) / (last.at - first.at);
  return { rate, remaining_s: rate > 0 ? Math.ceil(queued / rate) : null };
}

export function campaignKey(id: number): readonly unknown[] {
  return own("campaigns", "one", id);
}

export function useCampaign(id: number) {
  const client = useQueryClient();
  const seen = useRef({ stamp: "", since: Date.now(), looks: [] as Sample[] });
  const [moving, setMoving] = useState(false);
  const streams = useEvents(
    moving ? `campaign ${id}` : null,
    (signal) => campaignEvents(id, signal),
    ({ data }) => {
      const { campaign } = JSON.parse(data) as components["schemas"]["Progress"];
      note(seen.current, campaign, Date.now());
      // What events leave out, such as how many can be sent again, stays until it is asked for.
      client.setQueryData<Campaign>(campaignKey(id), (now) => ({ ...now, ...campaign }));
    },
  );
  const query = useQuery({
    queryKey: campaignKey(id),
    queryFn: async () => {
      // Without the lists of its numbers, which are not shown here: this is requested often.
      const params = { path: { id }, query: { numbers: 0 } };
      const { campaign } = await ask(api.GET("/api/campaigns/{id}", { params }));
      note(seen.current, campaign, Date.now());
      return campaign;
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      const now = Date.now();
      return data && !streams ? nextPollMs(data, now - seen.current.since, now) : false;
    },
  });
  const { data } = query;
  useEffect(() => setMoving(data !== undefined && moves(data)), [data]);

  // Its money moves as it goes: the balances in the bar follow when it is over.
  const over = query.data && isOver(query.data);
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
  }, [client, over]);

  const looks = seen.current.looks;
  return { ...query, pace: query.data ? sendRateOf(looks, query.data.counts.queued) : sendRateOf([], 0) };
}

/** Remembers a look, where it differs from the one before. */
function note(
  seen: { stamp: string; since: number; looks: Sample[] },
  campaign: Campaign,
  now: number,
): void {
  const stamp = stampOf(campaign);
  if (stamp === seen.stamp) return;
  seen.stamp = stamp;
  seen.since = now;
  const { queued, cancelled } = campaign.counts;
  seen.looks.push({ at: now, handed: campaign.total_contacts - queued - cancelled });
  if (seen.looks.length > 40) seen.looks.shift();
}

/**
 * The value, changed at most once in `ms`: what follows a campaign's figures costs more than they do. With `settled_ms`
 * also as soon as it has stood still for that long.
 */
export function useThrottled(value: string, ms: number, settled_ms = Number.POSITIVE_INFINITY): string {
  const [kept, setKept] = useState(value);
  const changed = useRef(0);
  useEffect(() => {
    if (value === kept) return;
    const timer = window.setTimeout(
      () => {
        changed.current = Date.now();
        setKept(value);
      },
      Math.min(settled_ms, Math.max(0, changed.current + ms - Date.now())),
    );
    return () => window.clearTimeout(timer);
  }, [value, kept, ms, settled_ms]);
  return kept;
}
