// Sender ids: what is asked, and the rules on a request in the specification's words.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { TableState } from "../../design/tableState";

export type SenderId = components["schemas"]["SenderIdRecord"];

export const MOST_AT_ONCE = 20;
const CHARACTERS = 11;
const DIGITS = 14;

export const STATUSES = [
  ["all", "All"],
  ["approved", "Approved"],
  ["pending", "Pending"],
  ["disapproved", "Disapproved"],
] as const;

/** What is wrong with one sender id; null for nothing. An empty one is not counted. */
export function senderIdError(text: string): string | null {
  const sender = text.trim();
  if (/^\d+$/.test(sender)) {
    return sender.length > DIGITS ? "Sender ID cannot be more than 14 digits." : null;
  }
  return [...sender].length > CHARACTERS ? "Sender ID cannot be more than 11 characters." : null;
}

export const requestShape = z.object({
  sender_ids: z
    .array(
      z.object({ text: z.string() }).superRefine(({ text }, context) => {
        const message = senderIdError(text);
        if (message) context.addIssue({ code: "custom", path: ["text"], message });
      }),
    )
    .superRefine((all, context) => {
      if (all.every((it) => it.text.trim() === "")) {
        context.addIssue({ code: "custom", path: [0, "text"], message: "Please add a sender ID" });
      }
    }),
});

export type Request = z.infer<typeof requestShape>;

/** `sender_ids`, without what was left empty. */
export function senderIdsOf({ sender_ids }: Request): string[] {
  return sender_ids.map((it) => it.text.trim()).filter((it) => it !== "");
}

export const senderIdsQuery = (query: TableState["query"], status: string) =>
  queryOptions({
    queryKey: own("senders", status, query),
    queryFn: async () => {
      const answer = await ask(api.GET("/api/get-sender-id", { params: { query: { ...query, status } } }));
      return { rows: answer.senderId, total: answer.total };
    },
    placeholderData: keepPreviousData,
    // An approval takes minutes: a user who waits on this page sees it arrive.
    refetchInterval: 60_000,
  });
