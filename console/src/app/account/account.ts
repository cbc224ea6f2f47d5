// What the pages of the account share.
import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, asForm, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { session } from "../../api/session";

export type Session = components["schemas"]["Session"];
export type ApiKey = components["schemas"]["ApiKey"];
export type EditedProfile = components["schemas"]["EditedProfile"];
type EditProfile = components["schemas"]["EditProfile"];

export const LINKS = [
  { to: "/dashboard/profile-summary", label: "Profile" },
  { to: "/dashboard/profile-summary/security", label: "Security" },
] as const;

type Page = { page: number; per_page: number };

export const accountKey = (...rest: readonly unknown[]) => own("account", ...rest);

export function editProfile(body: EditProfile): Promise<EditedProfile> {
  return ask(api.POST("/api/edit-profile", { body, bodySerializer: asForm }));
}

/** After the profile changed: the session's user and every page that shows it. */
export function useApplyEdit(): (edited: EditedProfile) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async ({ user }) => {
      session.refresh(user);
      await client.invalidateQueries({ queryKey: own("profile") });
    },
    [client],
  );
}

export const sessionsQuery = (query: Page) =>
  queryOptions({
    queryKey: accountKey("sessions", query),
    queryFn: async () => {
      const { sessions, total } = await ask(api.GET("/api/sessions", { params: { query } }));
      return { rows: sessions, total };
    },
    placeholderData: keepPreviousData,
  });

export const apiKeysQuery = (query: Page) =>
  queryOptions({
    queryKey: accountKey("keys", query),
    queryFn: async () => {
      const { api_keys, total } = await ask(api.GET("/api/api-keys", { params: { query } }));
      return { rows: api_keys, total };
    },
    placeholderData: keepPreviousData,
  });

export const chatLinkQuery = () =>
  queryOptions({
    queryKey: accountKey("kingschat"),
    queryFn: async () => {
      const [link, options] = await Promise.all([
        ask(api.GET("/api/kingschat/link")),
        ask(api.GET("/api/kingschat/options")),
      ]);
      return { link, options };
    },
  });

const BROWSERS: [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(Headless)?Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** What a client called itself, as people say it. */
export function clientName(client: string): string {
  const browser = BROWSERS.find(([form]) => form.test(client))?.[1];
  const system = SYSTEMS.find(([form]) => form.test(client))?.[1];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return client.slice(0, 60) || "Unknown client";
}
