// Webhooks: what is asked, and the words for events and deliveries.
import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";

export type Webhook = components["schemas"]["Webhook"];
export type Delivery = components["schemas"]["WebhookDelivery"];

export const EVENTS = [
  ["campaign.scheduled", "Campaign scheduled"],
  ["campaign.sending", "Campaign begins to send"],
  ["campaign.paused", "Campaign paused"],
  ["campaign.completed", "Campaign completed"],
  ["campaign.cancelled", "Campaign cancelled"],
  ["campaign.failed", "Campaign failed"],
  ["messages.updated", "Messages change their status"],
] as const;

export const LOG_STATUSES = [
  ["", "All"],
  ["pending", "Pending"],
  ["delivered", "Delivered"],
  ["failed", "Failed"],
] as const;

export const webhooksKey = (...rest: readonly unknown[]) => own("webhooks", ...rest);

export function useInvalidateWebhooks(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: webhooksKey() }), [client]);
}

export const webhooksQuery = () =>
  queryOptions({
    queryKey: webhooksKey("list"),
    queryFn: async () => {
      const { webhooks, total } = await ask(api.GET("/api/webhooks"));
      return { rows: webhooks, total };
    },
  });

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: webhooksKey("one", id),
    queryFn: () => ask(api.GET("/api/webhooks/{id}", { params: { path: { id } } })),
  });

const WATCH_MS = 3_000;

export const deliveriesQuery = (id: number, query: { page: number; per_page: number; status?: string }) =>
  queryOptions({
    queryKey: webhooksKey("log", id, query),
    queryFn: async () => {
      const answer = await ask(api.GET("/api/webhooks/{id}/deliveries", { params: { path: { id }, query } }));
      return { rows: answer.deliveries, total: answer.total };
    },
    placeholderData: keepPreviousData,
    // While something is on its way its outcome shows by itself.
    refetchInterval: (it) => (it.state.data?.rows.some((row) => row.status === "pending") ? WATCH_MS : false),
  });

export const deliveryQuery = (id: number, delivery: number) =>
  queryOptions({
    queryKey: webhooksKey("delivery", id, delivery),
    queryFn: () =>
      ask(api.GET("/api/webhooks/{id}/deliveries/{delivery}", { params: { path: { id, delivery } } })),
  });

/** What the receiver said, or why it said nothing. */
export function answerOf({ answer, note, status }: Delivery): string {
  const parts = [answer == null ? "" : `HTTP ${answer}`, note ?? ""].filter(Boolean);
  return parts.join(": ") || (status === "pending" ? "Not tried yet" : "-");
}
