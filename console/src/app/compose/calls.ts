// What the compose page asks of the daemon.
import { queryOptions } from "@tanstack/react-query";
import { api, asForm, ask, download } from "../../api/client";
import { opened } from "../../api/events";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { Kind } from "./content/measure";
import { type Draft, partsOf } from "./draft";

export type Quote = components["schemas"]["Quote"];
export type Campaign = components["schemas"]["Campaign"];
export type Group = components["schemas"]["Group"];

export function sendersQuery() {
  return queryOptions({
    queryKey: own("compose", "senders"),
    queryFn: async () => (await ask(api.GET("/api/get-sender-id"))).senderId.map((it) => it.sender_id),
  });
}

export function groupsQuery() {
  return queryOptions({
    queryKey: own("compose", "groups"),
    queryFn: async () => (await ask(api.GET("/api/get/group"))).groups,
  });
}

/** The first contacts of a group, for the preview of merge fields. */
export function groupHeadQuery(id: number) {
  return queryOptions({
    queryKey: own("compose", "group-head", id),
    queryFn: async () => {
      const query = { page: 1, per_page: 20 };
      const params = { path: { id }, query };
      return (await ask(api.GET("/api/get/group/contacts/{id}", { params }))).contacts;
    },
  });
}

const QUOTE = {
  text: ["/api/send-text-sms", "/api/schedule-text-sms"],
  flash: ["/api/send-flash-sms", "/api/schedule-flash-sms"],
  unicode: ["/api/send-unicode-sms", "/api/schedule-unicode-sms"],
  "wap-push": ["/api/send-wap-push-sms", "/api/schedule-wap-push-sms"],
  vcard: ["/api/send-vcard-sms", "/api/schedule-vcard-sms"],
} as const satisfies Record<Kind, readonly [string, string]>;

/** What it will be and cost. Charges nothing. Files go as they are, unread by the page. */
export async function quote(
  draft: Draft,
  files: readonly File[],
  columns: readonly string[],
  key: string,
): Promise<Quote> {
  const path = QUOTE[draft.kind][draft.later ? 1 : 0];
  const answer = await ask(
    api.POST(path, {
      body: {},
      bodySerializer: () => asForm(partsOf(draft, files, columns)),
      headers: { "Idempotency-Key": key },
    }),
  );
  // The client's types make lists of pairs.
  return answer.details as Quote;
}

export function downloadRejects(quoteId: number): Promise<void> {
  const params = { path: { id: quoteId } };
  return download(api.GET("/api/quotes/{id}/rejects", { params, parseAs: "blob" }), "rejects.csv");
}

/** What the form of a campaign said. */
export function filledFormQuery(id: number) {
  return queryOptions({
    queryKey: own("compose", "filled-form", id),
    queryFn: () => ask(api.GET("/api/campaigns/{id}/form", { params: { path: { id } } })),
    // Groups may be gone by the next time.
    gcTime: 0,
    staleTime: 0,
  });
}

const OVER = ["completed", "cancelled", "failed"];

export function isOver(campaign: Campaign): boolean {
  return OVER.includes(campaign.status);
}

/** Its progress, each with the campaign as it is. */
export function followEvents(id: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const params = { path: { id } };
  return opened(api.GET("/api/campaigns/{id}/events", { params, parseAs: "stream", signal }));
}

function pace(campaign: Campaign): number | false {
  if (isOver(campaign)) return false;
  return campaign.status === "sending" ? 1_500 : 20_000;
}

/** A campaign, followed until nothing is left to send; `streams` while its events are read. */
export function followQuery(campaign: Campaign, streams = false) {
  return queryOptions({
    queryKey: own("compose", "campaign", campaign.id),
    queryFn: async () => {
      const params = { path: { id: campaign.id }, query: { numbers: 0 } };
      return (await ask(api.GET("/api/campaigns/{id}", { params }))).campaign;
    },
    refetchInterval: ({ state }) => !streams && pace(state.data ?? campaign),
  });
}
