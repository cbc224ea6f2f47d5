// The history of transactions: what is asked, and its words.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { TableState } from "../../design/tableState";

export type Transaction = components["schemas"]["Transaction"];

export const FILTERS = ["kind", "status", "currency", "from", "to", "campaign_id"] as const;
/** Where the list before this one ended: kept in the address like a filter, and of no use with other filters. */
export const BEYOND = "beyond";

export const KINDS = [
  ["", "All kinds"],
  ["payment", "Payments"],
  ["transfer", "Transfers"],
  ["credit", "Credits"],
  ["reserve", "Reserved for campaigns"],
  ["release", "Refunds from campaigns"],
  ["refund", "Refunds of charges"],
  ["charge", "Later charges"],
] as const;

export const STATUSES = [
  ["", "All statuses"],
  ["successful", "Successful"],
  ["pending", "Pending"],
  ["failed", "Failed"],
  ["expired", "Expired"],
  ["mismatch", "Needs a look"],
] as const;

export const CURRENCIES = [
  ["", "Both currencies"],
  ["espees", "ESPEES"],
  ["naira", "Naira"],
] as const;

/** Why the wallet gained or lost, in a sentence. */
export function reasonOf(it: Transaction): string {
  switch (it.kind) {
    case "reserve":
      return "When the campaign was confirmed, its whole price was reserved. What is not charged of it is refunded.";
    case "release":
      return "The carrier rejected these messages, or they were never sent: what was reserved for them was refunded in full.";
    case "refund":
      return "A message was charged and then not sent or not delivered, and its price was refunded.";
    case "charge":
      return "The price of a message was refunded while it was not known whether it was sent. It was sent, and is charged.";
    case "transfer":
      return it.direction === "debit" ? "You sent this to another user." : "Another user sent you this.";
    case "credit":
      return "An administrator added this to your account, for a payment that had not been credited for one.";
    default:
      return it.status === "successful"
        ? "Your payment was confirmed by its provider and added to your account."
        : "This payment has not been added to your account.";
  }
}

export const historyQuery = (state: Pick<TableState, "query" | "filters">) => {
  // A day counts whole, also as `to`.
  const query = {
    ...state.query,
    ...Object.fromEntries(Object.entries(state.filters).filter(([, value]) => value !== "")),
  };
  return queryOptions({
    queryKey: own("money", "history", query),
    queryFn: async () => {
      const { transactions, total, beyond } = await ask(
        api.GET("/api/get-transaction-history", { params: { query } }),
      );
      return { rows: transactions, total, beyond };
    },
    placeholderData: keepPreviousData,
  });
};

const ENTRIES = 60;

/** The history of one campaign alone. */
export const historyOf = (campaign: number) => `/dashboard/transaction-history?campaign_id=${campaign}`;

/** Every movement that one campaign made. */
export const campaignEntriesQuery = (id: number) =>
  queryOptions({
    queryKey: own("money", "campaign", id),
    queryFn: async () => {
      const query = { campaign_id: id, page: 1, per_page: ENTRIES };
      const [{ campaign }, { transactions, total }] = await Promise.all([
        ask(api.GET("/api/campaigns/{id}", { params: { path: { id }, query: { numbers: 0 } } })),
        ask(api.GET("/api/get-transaction-history", { params: { query } })),
      ]);
      return { campaign, entries: transactions, more: total - transactions.length };
    },
  });
