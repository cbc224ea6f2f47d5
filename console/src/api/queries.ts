// Server state that more than one room reads. What only one feature reads lives in that feature.
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";
import { ApiProblem } from "./problem";
import type { components } from "./schema";
import { type Session, session } from "./session";

export type Balances = components["schemas"]["Balances"];
export type SmsPrices = components["schemas"]["SmsPrices"];

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What was refused will be refused again; what failed may succeed.
        retry: (failures, problem) =>
          failures < 2 && problem instanceof ApiProblem && (problem.status === 0 || problem.status >= 502),
      },
      mutations: { retry: false },
    },
  });
}

/** Every key opens with whose data it is, so that another account in the same tab never sees it. */
export function own(...key: readonly unknown[]): readonly unknown[] {
  return ["own", session.get()?.user.id ?? 0, ...key];
}

export const MAINTENANCE_POLL_MS = 10_000;

export const maintenanceQuery = queryOptions({
  queryKey: ["open", "maintenance"],
  queryFn: () => ask(api.GET("/api/get-maintenance-status")),
  refetchInterval: MAINTENANCE_POLL_MS,
  refetchIntervalInBackground: false,
});

/** Whether stand-ins surround the daemon. Asked once. */
export const readyQuery = queryOptions({
  queryKey: ["open", "ready"],
  queryFn: async () => {
    const { data, error } = await api.GET("/readyz");
    // 503 carries the same document.
    return (data ?? error) as { sandbox?: boolean };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** What visitors may contact; each is null while it is not set. */
export const contactQuery = queryOptions({
  queryKey: ["open", "contact"],
  queryFn: async () => {
    const [email, phone, address] = await Promise.all([
      ask(api.GET("/api/get-contact-email")),
      ask(api.GET("/api/get-contact-phone")),
      ask(api.GET("/api/get-contact-address")),
    ]);
    return {
      email: email["Contact-email"][0]?.value || null,
      phone: phone["Contact-phone"][0]?.value || null,
      address: address["Contact-address"][0]?.value || null,
    };
  },
  staleTime: 5 * 60_000,
});

export function profileQuery() {
  return queryOptions({
    queryKey: own("profile"),
    queryFn: async () => {
      const profile = await ask(api.GET("/api/user-profile"));
      session.refresh(profile.user);
      return profile;
    },
    staleTime: 60_000,
  });
}

export function balancesQuery() {
  const kept = session.kept("balances");
  return queryOptions({
    queryKey: own("balances"),
    queryFn: async () => {
      const balances = await ask(api.GET("/api/get-espee-balance"));
      // Shown at once after a reload, until the daemon answers.
      session.keep("balances", JSON.stringify(balances));
      return balances;
    },
    initialData: kept ? (JSON.parse(kept) as Balances) : undefined,
    initialDataUpdatedAt: 0,
  });
}

/** The prices of a page. Kept with the session, as balances are. */
export function smsPricesQuery() {
  const kept = session.kept("prices");
  return queryOptions({
    queryKey: own("sms-prices"),
    queryFn: async () => {
      const prices = await ask(api.GET("/api/get-sms-unit-price"));
      session.keep("prices", JSON.stringify(prices));
      return prices;
    },
    initialData: kept ? (JSON.parse(kept) as SmsPrices) : undefined,
    initialDataUpdatedAt: 0,
  });
}

/** What a page costs by where it goes, where that is not the ordinary price: for a user with a rate plan, by this plan. */
export function ratesQuery() {
  return queryOptions({
    queryKey: own("page-rates"),
    queryFn: async () => (await ask(api.GET("/api/rates"))).rates,
    staleTime: 60_000,
  });
}

/** The lists of rates as administrators see them. */
export function rateListsQuery() {
  return queryOptions({ queryKey: own("rate-lists"), queryFn: () => ask(api.GET("/admin/rates")) });
}

export function announcementsQuery() {
  return queryOptions({
    queryKey: own("announcements"),
    queryFn: async () => (await ask(api.GET("/api/get/announcement"))).data.Announcement,
    refetchInterval: 5 * 60_000,
  });
}

export function lastSentQuery() {
  return queryOptions({
    queryKey: own("last-sent"),
    queryFn: () => ask(api.GET("/api/get-last-sent-message")),
  });
}

/** Signs in; first clears what is cached of another user. */
export function startSession(client: QueryClient, { token, user }: Session): void {
  client.removeQueries({ queryKey: ["own"] });
  session.start(token, user);
}

/** Ends the session with the daemon, and here whatever the daemon answers. */
export async function logOut(client: QueryClient): Promise<void> {
  const token = session.get()?.token;
  session.clear();
  client.removeQueries({ queryKey: ["own"] });
  if (token) {
    await api.POST("/api/logout", { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined);
  }
}
