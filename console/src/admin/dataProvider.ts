// THE table of the administration: a resource is an address below /dashboard/admin, and its row says by which calls it is
// read and changed. What a resource cannot do is not in its row, and asking for it fails with a sentence.
import { api, ask } from "../api/client";
import { ApiProblem } from "../api/problem";
import { keyed, providerOf, type Resource, rows, type Target } from "./resource";

/** The most that a list answers at once. */
const ALL = { page: 1, per_page: 1000 };

const numbered = (id: unknown) => ({ path: { id: Number(id) } });
const text = (value: unknown) => (typeof value === "string" ? value : "");

export const RESOURCES = {
  // Announcements have one call for every change, spelt as the specification spells it.
  announcement: {
    list: (query) => ask(api.GET("/admin/get-annoucement", { params: { query } })).then(rows("Announcement")),
    one: async (id) => {
      const { Announcement } = await ask(api.GET("/admin/get-annoucement", { params: { query: ALL } }));
      const found = Announcement.find((it) => it.id === Number(id));
      if (!found) throw new ApiProblem(404, "not_found", "There is no such announcement");
      return found;
    },
    create: ({ announcement }) => manage("create", undefined, text(announcement)).then(managed),
    update: (id, { announcement }) => manage("edit", id, text(announcement)).then(managed),
    remove: (id) => manage("delete", id),
    actions: {
      activate: ({ id }: Target) => manage("activate", id),
      deactivate: ({ id }: Target) => manage("deactivate", id),
      delete: ({ id }: Target) => manage("delete", id),
    },
  },

  // Sender IDs and numbers. A virtual number is assigned to a user: the id of that call is the user's.
  "approve-sender-id": {
    list: (query) => ask(api.GET("/admin/get-sender-ids", { params: { query } })).then(rows("senderids")),
    actions: {
      approve: ({ id }: Target) => ask(api.POST("/admin/approve-senderid/{id}", { params: numbered(id) })),
      reject: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/disapprove-senderid/{id}", { params: numbered(id), body: data })),
    },
  },
  "approve-virtualNumber": {
    list: (query) =>
      ask(api.GET("/admin/get-virtual-numbers", { params: { query } })).then(rows("virtual-Number")),
    actions: {
      assign: ({ id, data }: Target<{ virtual_num: string }>) =>
        ask(api.POST("/admin/approve-virtual-number/{id}", { params: numbered(id), body: data })),
      delete: ({ id }: Target) =>
        ask(api.DELETE("/admin/delete-virtual-number/{id}", { params: numbered(id) })),
    },
  },
  "own-numbers": {
    list: (query) => ask(api.GET("/admin/get-own-numbers", { params: { query } })).then(rows("Own-Number")),
  },

  // Traffic: campaigns, messages, carriers.
  "campaign-history": {
    list: (query) =>
      ask(api.GET("/admin/get-all-camapaign-history", { params: { query } })).then(rows("campaigns")),
    one: (id) =>
      ask(api.GET("/api/campaigns/{id}", { params: numbered(id) })).then(({ campaign }) => campaign),
    actions: {
      pause: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/pause", { params: numbered(id) })),
      resume: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/resume", { params: numbered(id) })),
      cancel: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/cancel", { params: numbered(id) })),
    },
  },
  messages: {
    // Without a number nothing is asked for.
    list: async ({ number, page, per_page }) =>
      number
        ? ask(api.GET("/api/messages", { params: { query: { number, page, per_page } } })).then(
            rows("messages"),
          )
        : { data: [], total: 0 },
  },
  "unknown-messages": {
    list: (query) => ask(api.GET("/admin/unknown-messages", { params: { query } })).then(rows("messages")),
  },
  carriers: {
    list: () => ask(api.GET("/admin/carriers")).then(keyed("carriers", (it) => it.name)),
  },
  webhooks: {
    list: (query) => ask(api.GET("/admin/webhooks", { params: { query } })).then(rows("webhooks")),
  },

  // Money of all customers.
  transactions: {
    list: (query) =>
      ask(api.GET("/admin/get-all-transactions", { params: { query } })).then(rows("Transactions")),
  },
  payments: {
    list: (query) => ask(api.GET("/admin/payments", { params: { query } })).then(rows("payments")),
    actions: {
      recheck: ({ id }: Target) => ask(api.POST("/admin/payments/{id}/recheck", { params: numbered(id) })),
    },
  },
  "payment-events": {
    list: (query) => ask(api.GET("/admin/payment-events", { params: { query } })).then(rows("events")),
  },
  margins: {
    list: (query) =>
      ask(api.GET("/admin/margins", { params: { query } })).then(
        keyed("margins", (it) => `${it.day} ${it.carrier} ${it.network} ${it.currency}`),
      ),
  },
} satisfies Record<string, Resource>;

export const dataProvider = providerOf(RESOURCES);
export type TalkdrumProvider = typeof dataProvider;

function manage(action: string, id?: unknown, announcement?: string) {
  const body = { action, announcement, ...(id === undefined ? {} : { id: Number(id) }) };
  return ask(api.POST("/admin/manage-annoucement", { body }));
}

function managed(answer: Awaited<ReturnType<typeof manage>>) {
  const [row] = answer.Announcement;
  if (!row) throw new ApiProblem(404, "not_found", "There is no such announcement");
  return row;
}
