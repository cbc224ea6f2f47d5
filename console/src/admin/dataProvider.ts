// THE table of the administration: a resource is an address below /dashboard/admin, and its row says by which calls it is
// read and changed. What a resource cannot do is not in its row, and asking for it fails with a sentence.

import type { Identifier } from "react-admin";
import { api, ask } from "../api/client";
import { ApiProblem } from "../api/problem";
import type { components } from "../api/schema";
import { done, keyed, providerOf, type Resource, rows, setting, type Target } from "./resource";

type Prices = components["schemas"]["Prices"];

interface Credit {
  amount: number;
  payment_ref?: string;
  key: string;
}

interface Credited {
  message: string;
  balance: number;
}

const by = (id: Identifier) => ({ params: { path: { id: Number(id) } } });
const named = (id: Identifier) => ({ params: { path: { name: String(id) } } });
/** A key under which it happens once, however often it is tried. */
const once = (key: string) => ({ headers: { "Idempotency-Key": key } });
const text = (value: unknown) => (typeof value === "string" ? value : "");

export const RESOURCES = {
  // Announcements have one call for every change, spelt as the specification spells it.
  announcement: {
    list: (query) => ask(api.GET("/admin/get-annoucement", { params: { query } })).then(rows("Announcement")),
    one: (id) => ask(api.GET("/admin/announcements/{id}", by(id))).then(({ announcement }) => announcement),
    create: ({ announcement }) => manage("create", undefined, text(announcement)).then(managed),
    update: (id, { announcement }) => manage("edit", id, text(announcement)).then(managed),
    remove: (id) => manage("delete", id),
    actions: {
      activate: ({ id }: Target) => manage("activate", id),
      deactivate: ({ id }: Target) => manage("deactivate", id),
      delete: ({ id }: Target) => manage("delete", id),
    },
  },

  "manage-users": {
    list: ({ status, ...query }) =>
      status === "inactive"
        ? ask(api.GET("/admin/get-all-inactive-users", { params: { query } })).then(rows("inactive_users"))
        : ask(api.GET("/admin/get-all-active-users", { params: { query } })).then(rows("active_users")),
    create: (values) => ask(api.POST("/admin/users", { body: values })).then((answer) => answer.user),
    actions: {
      activate: ({ id }: Target) => ask(api.POST("/admin/activate-user/{id}", by(id))),
      deactivate: ({ id }: Target) => ask(api.POST("/admin/deactivate-user/{id}", by(id))),
      delete: ({ id }: Target) => ask(api.DELETE("/admin/delete-user/{id}", by(id))),
      assignEspees: ({ id, data: { amount, payment_ref, key } }: Target<Credit>) =>
        ask(
          api.POST("/admin/assign-espee/{id}", {
            ...by(id),
            ...once(key),
            body: { espees: amount, payment_ref: payment_ref ?? "" },
          }),
        ).then<Credited>(({ message, espee_balance }) => ({ message, balance: espee_balance })),
      assignNaira: ({ id, data: { amount, payment_ref, key } }: Target<Credit>) =>
        ask(
          api.POST("/admin/assign-naira/{id}", { ...by(id), ...once(key), body: { amount, payment_ref } }),
        ).then<Credited>(({ message, paystack_balance }) => ({ message, balance: paystack_balance })),
    },
  },
  // Of its own, as react-admin shows a list's row as the record until `one` has answered: a row here is less than that.
  "user-details": {
    one: (id) => ask(api.GET("/admin/get-user-details/{id}", by(id))),
  },
  // What may be spent in a day: "default", "0" for no limit, or an amount.
  "user-limits": {
    one: async (id) => ({ id, ...(await ask(api.GET("/admin/users/{id}/limits", by(id)))) }),
    update: async (id, { cap_espees, cap_naira, proven }) => {
      const body = { cap_espees: text(cap_espees), cap_naira: text(cap_naira), proven: proven === true };
      return { id, ...(await ask(api.PUT("/admin/users/{id}/limits", { ...by(id), body }))) };
    },
  },
  // Empty: the rates for all.
  "user-rate-plan": {
    update: async (id, { plan }) => ({
      id,
      ...(await ask(api.PUT("/admin/users/{id}/rate-plan", { ...by(id), body: { plan: text(plan) } }))),
    }),
  },
  // No reason lifts it.
  "user-legal-hold": {
    update: async (id, { reason }) => ({
      id,
      ...(await (typeof reason === "string"
        ? ask(api.PUT("/admin/users/{id}/legal-hold", { ...by(id), body: { reason } }))
        : ask(api.DELETE("/admin/users/{id}/legal-hold", by(id))))),
    }),
  },
  "user-codes": {
    update: async (id, { allowed }) => ({
      id,
      ...(await ask(api.PUT("/admin/users/{id}/codes", { ...by(id), body: { allowed: allowed === true } }))),
    }),
  },
  // Empty: none.
  "user-purpose": {
    update: async (id, { purpose }) => ({
      id,
      ...(await ask(api.PUT("/admin/users/{id}/purpose", { ...by(id), body: { purpose: text(purpose) } }))),
    }),
  },
  "sender-purpose": {
    update: (id, { purpose }) =>
      ask(api.PUT("/admin/sender-ids/{id}/purpose", { ...by(id), body: { purpose: text(purpose) } })),
  },
  "message-users": {
    list: (query) => ask(api.GET("/admin/user-messages", { params: { query } })).then(rows("user_messages")),
    actions: {
      /** To the user with this id, or to all where it is no number. */
      send: ({ id, data: { message, key } }: Target<{ message: string; key: string }>) =>
        ask(
          api.POST("/admin/admin-send-sms-user", {
            ...once(key),
            body: typeof id === "number" ? { message, user_id: id } : { message },
          }),
        ),
    },
  },
  "audit-trail": {
    list: (query) => ask(api.GET("/admin/audit", { params: { query } })).then(rows("audit")),
  },

  // Settings: one record each, read by the specification's list of records. A key is shown by its last four characters.
  "set-wallet-address": {
    one: async (id) =>
      setting(id, "wallet_address", (await ask(api.GET("/admin/get-wallet-address")))["wallet-Address"]),
    update: (id, { wallet_address }) =>
      ask(api.POST("/admin/set-wallet-address", { body: { wallet_address: text(wallet_address) } })).then(
        done(id, { wallet_address }),
      ),
  },
  "set-contact-address": {
    one: async (id) =>
      setting(id, "address", (await ask(api.GET("/admin/get-contact-address")))["Contact-address"]),
    update: (id, { address }) =>
      ask(api.POST("/admin/contact-address", { body: { address: text(address) } })).then(
        done(id, { address }),
      ),
  },
  "set-contact-email": {
    one: async (id) =>
      setting(id, "email", (await ask(api.GET("/admin/get-contact-email")))["Contact-email"]),
    update: (id, { email }) =>
      ask(api.POST("/admin/contact-email", { body: { email: text(email) } })).then(done(id, { email })),
  },
  "set-contact-phone": {
    one: async (id) =>
      setting(id, "phone", (await ask(api.GET("/admin/get-contact-phone")))["Contact-phone"]),
    update: (id, { phone }) =>
      ask(api.POST("/admin/contact-phone", { body: { phone: text(phone) } })).then(done(id, { phone })),
  },
  "set-admin-number": {
    one: async (id) =>
      setting(id, "phone_number", (await ask(api.GET("/admin/get-admin-number")))["Admin-Number"]),
    update: (id, { phone_number }) =>
      ask(api.POST("/admin/set-admin-number", { body: { phone_number: text(phone_number) } })).then(
        done(id, { phone_number }),
      ),
  },
  "set-pricing": {
    one: async (id) => setting(id, "content", (await ask(api.GET("/admin/get-about-us")))["About-Us"]),
    update: (id, { content }) =>
      ask(api.POST("/admin/about-us", { body: { content: text(content) } })).then(done(id, { content })),
  },
  "set-sms-api-key": {
    one: async (id) => setting(id, "kept", (await ask(api.GET("/admin/get-sms-api-key"))).smsApiKey),
    update: (id, { api_key }) =>
      ask(api.POST("/admin/set-sms-api-key", { body: { api_key: text(api_key) } })).then(done(id)),
  },
  "set-espee-api-key": {
    one: async (id) => setting(id, "kept", (await ask(api.GET("/admin/get-espee-api-key"))).espeeApiKey),
    update: (id, { api_key }) =>
      ask(api.POST("/admin/set-espee-api-key", { body: { api_key: text(api_key) } })).then(done(id)),
  },
  "set-paystack-keys": {
    one: async (id) => {
      const kept = await ask(api.GET("/admin/get-paystack-api-key"));
      return {
        ...setting(id, "kept_public", kept.paystack_public_key),
        ...setting(id, "kept_secret", kept.paystack_secret_key),
      };
    },
    update: (id, { secret_key, public_key }) =>
      ask(
        api.POST("/admin/set-paystack-keys", {
          body: { secret_key: text(secret_key), public_key: text(public_key) },
        }),
      ).then(done(id)),
  },
  maintainance: {
    one: async (id) => ({ id, ...(await ask(api.GET("/admin/get-maintenance-status"))) }),
    actions: {
      enable: ({ data: { message } }: Target<{ message: string }>) =>
        ask(api.POST("/admin/enable-maintenance-mode", { body: { message, maintenance_mode: 1 } })),
      disable: ({ data: { message } }: Target<{ message: string }>) =>
        ask(api.POST("/admin/disable-maintenance-mode", { body: { message, maintenance_mode: 0 } })),
    },
  },

  // Prices, by the specification's names for them.
  "SMS-UNIT-PRICE": price("SMS-UNIT-PRICE", (body) => api.POST("/admin/set-sms-unit-price", { body })),
  "SMS-UNIT-PRICE-IN-NAIRA": price("SMS-UNIT-PRICE-IN-NAIRA", (body) =>
    api.POST("/admin/set-sms-unit-price-naira", { body }),
  ),
  "SMS-ABROAD-UNIT-PRICE": price("SMS-ABROAD-UNIT-PRICE", (body) =>
    api.POST("/admin/set-sms-abroad-unit-price", { body }),
  ),
  "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": price("SMS-ABROAD-UNIT-PRICE-IN-NAIRA", (body) =>
    api.POST("/admin/set-sms-abroad-unit-price-naira", { body }),
  ),
  "VOICE-UNIT-PRICE": price("VOICE-UNIT-PRICE", (body) => api.POST("/admin/set-voice-unit-price", { body })),
  "VOICE-UNIT-PRICE-NAIRA": price("VOICE-UNIT-PRICE-NAIRA", (body) =>
    api.POST("/admin/set-voice-unit-price-naira", { body }),
  ),
  "VIRTUAL-UNIT-PRICE": price("VIRTUAL-UNIT-PRICE", (body) =>
    api.POST("/admin/set-virtual-unit-price", { body }),
  ),
  "OWN-UNIT-PRICE": price("OWN-UNIT-PRICE", (body) => api.POST("/admin/set-own-number-unit-price", { body })),
  "price-history": {
    list: (query) => ask(api.GET("/admin/price-history", { params: { query } })).then(rows("prices")),
  },

  // Sender IDs and numbers. A virtual number is assigned to a user: the id of that call is the user's.
  "approve-sender-id": {
    list: (query) => ask(api.GET("/admin/get-sender-ids", { params: { query } })).then(rows("senderids")),
    actions: {
      approve: ({ id }: Target) => ask(api.POST("/admin/approve-senderid/{id}", by(id))),
      reject: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/disapprove-senderid/{id}", { ...by(id), body: data })),
    },
  },
  "approve-virtualNumber": {
    list: (query) =>
      ask(api.GET("/admin/get-virtual-numbers", { params: { query } })).then(rows("virtual-Number")),
    actions: {
      assign: ({ id, data }: Target<{ virtual_num: string }>) =>
        ask(api.POST("/admin/approve-virtual-number/{id}", { ...by(id), body: data })),
      delete: ({ id }: Target) => ask(api.DELETE("/admin/delete-virtual-number/{id}", by(id))),
    },
  },
  "own-numbers": {
    list: (query) => ask(api.GET("/admin/get-own-numbers", { params: { query } })).then(rows("Own-Number")),
    actions: {
      delete: ({ id }: Target) => ask(api.DELETE("/admin/delete-own-number/{id}", by(id))),
    },
  },

  // Traffic: campaigns, messages, carriers.
  "campaign-history": {
    list: (query) =>
      ask(api.GET("/admin/get-all-camapaign-history", { params: { query } })).then(rows("campaigns")),
    one: (id) => ask(api.GET("/api/campaigns/{id}", by(id))).then(({ campaign }) => campaign),
    actions: {
      pause: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/pause", by(id))),
      resume: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/resume", by(id))),
      cancel: ({ id }: Target) => ask(api.POST("/api/campaigns/{id}/cancel", by(id))),
    },
  },
  "voice-reports": {
    list: ({ page, per_page }) =>
      ask(api.GET("/admin/get-all-sent-voice-sms", { params: { query: { page, per_page } } })).then(
        rows("Voice-Sms"),
      ),
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
  "inbound-messages": {
    list: ({ q, page, per_page }) =>
      ask(api.GET("/api/inbound-messages", { params: { query: { q, page, per_page } } })).then(
        rows("messages"),
      ),
  },
  carriers: {
    actions: {
      pause: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/carriers/{name}/pause", { ...named(id), body: data })),
      resume: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/carriers/{name}/resume", { ...named(id), body: data })),
      drain: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/carriers/{name}/drain", { ...named(id), body: data })),
      hangUp: ({ id, data }: Target<{ reason: string }>) =>
        ask(api.POST("/admin/carriers/{name}/hang-up", { ...named(id), body: data })),
      breaker: ({ id, data }: Target<{ network: string; state: string }>) =>
        ask(api.POST("/admin/carriers/{name}/breaker", { ...named(id), body: data })),
      reroute: ({ id, data }: Target<{ to: string }>) =>
        ask(api.POST("/admin/carriers/{name}/reroute", { ...named(id), body: data })),
    },
  },
  webhooks: {
    list: (query) => ask(api.GET("/admin/webhooks", { params: { query } })).then(rows("webhooks")),
    one: (id) => ask(api.GET("/api/webhooks/{id}", by(id))),
    actions: {
      redeliver: ({ id, data }: Target<{ delivery: number }>) => {
        const path = { id: Number(id), delivery: data.delivery };
        return ask(api.POST("/api/webhooks/{id}/deliveries/{delivery}/redeliver", { params: { path } }));
      },
      redeliverFailed: ({ id }: Target) => ask(api.POST("/api/webhooks/{id}/redeliver-failed", by(id))),
    },
  },

  // Money of all customers.
  transactions: {
    list: (query) =>
      ask(api.GET("/admin/get-all-transactions", { params: { query } })).then((answer) => ({
        ...rows("Transactions")(answer),
        meta: { beyond: answer.beyond },
      })),
  },
  payments: {
    list: (query) => ask(api.GET("/admin/payments", { params: { query } })).then(rows("payments")),
    actions: {
      recheck: ({ id }: Target) => ask(api.POST("/admin/payments/{id}/recheck", by(id))),
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

/** All prices are read by one call and set by one each. */
function price(
  name: Exclude<keyof Prices, "version">,
  set: (body: { price: number }) => ReturnType<typeof setSms>,
) {
  return {
    one: async (id: Identifier) => {
      const [now] = (await ask(api.GET("/admin/get-prices")))[name];
      return { id, price: now === undefined ? null : String(now.value), updated_at: now?.updated_at ?? null };
    },
    update: async (id: Identifier, values: Record<string, unknown>) => {
      await ask(set({ price: Number(text(values.price).trim()) }));
      return { id, ...values };
    },
  } satisfies Resource;
}

const setSms = (body: { price: number }) => api.POST("/admin/set-sms-unit-price", { body });
