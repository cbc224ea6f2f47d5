// What the pages of the phonebook share: their addresses, their keys, and what each list asks.
import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiProblem, api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { TableState } from "../../design/tableState";

export type Group = components["schemas"]["Group"];
export type Contact = components["schemas"]["Contact"];
export type ContactWithGroups = components["schemas"]["ContactWithGroups"];
export type OptOut = components["schemas"]["OptOut"];
export type Import = components["schemas"]["Import"];

export const LINKS = [
  { to: "/dashboard/phonebook", label: "Groups" },
  { to: "/dashboard/phonebook/contacts", label: "All contacts" },
  { to: "/dashboard/phonebook/opt-outs", label: "Opt-outs" },
  { to: "/dashboard/phonebook/imports", label: "Imports" },
] as const;

type Query = TableState["query"];

/** Everything of the phonebook; a change anywhere in it makes all of it stale. */
export const phonebookKey = (...rest: readonly unknown[]) => own("phonebook", ...rest);

export function useInvalidatePhonebook(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: phonebookKey() }), [client]);
}

/** After a group was deleted: everything else is stale, and of it and its contacts nothing can be asked any more. */
export function useForgetGroup(id: number): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => {
    const gone = [phonebookKey("group", id), phonebookKey("contacts-of", id)];
    return client.invalidateQueries({
      queryKey: phonebookKey(),
      predicate: ({ queryKey }) => !gone.some((key) => key.every((part, at) => queryKey[at] === part)),
    });
  }, [client, id]);
}

export const groupsQuery = (query: Query) =>
  queryOptions({
    queryKey: phonebookKey("groups", query),
    queryFn: async () => {
      const { groups, total } = await ask(api.GET("/api/get/group", { params: { query } }));
      return { rows: groups, total };
    },
    placeholderData: keepPreviousData,
  });

/** One group; null where there is none of this id. */
export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: phonebookKey("group", id),
    queryFn: () =>
      ask(api.GET("/api/get/group/{id}", { params: { path: { id } } })).then(
        ({ group }) => group,
        (problem) => {
          if (problem instanceof ApiProblem && problem.status === 404) return null;
          throw problem;
        },
      ),
  });

/** Every group, by name, for a choice. */
export const allGroupsQuery = () =>
  queryOptions({
    queryKey: phonebookKey("all-groups"),
    queryFn: async () => {
      const { groups } = await ask(api.GET("/api/get/group"));
      return [...groups].sort((a, b) => a.group_name.localeCompare(b.group_name));
    },
  });

export const contactsOfQuery = (id: number, query: Query) =>
  queryOptions({
    queryKey: phonebookKey("contacts-of", id, query),
    queryFn: async () => {
      const { contacts, total } = await ask(
        api.GET("/api/get/group/contacts/{id}", { params: { path: { id }, query } }),
      );
      return { rows: contacts, total };
    },
    placeholderData: keepPreviousData,
  });

export const allContactsQuery = (query: Query) =>
  queryOptions({
    queryKey: phonebookKey("all-contacts", query),
    queryFn: async () => {
      const { contacts, total } = await ask(api.GET("/api/group/contact", { params: { query } }));
      return { rows: contacts, total };
    },
    placeholderData: keepPreviousData,
  });

export const optOutsQuery = (query: Query) =>
  queryOptions({
    queryKey: phonebookKey("opt-outs", query),
    queryFn: async () => {
      const { optouts, total } = await ask(api.GET("/api/optouts", { params: { query } }));
      return { rows: optouts, total };
    },
    placeholderData: keepPreviousData,
  });

const WATCH_MS = 1_000;

export const importsQuery = (query: Query) =>
  queryOptions({
    queryKey: phonebookKey("imports", query),
    queryFn: async () => {
      const { imports, total } = await ask(api.GET("/api/imports", { params: { query } }));
      return { rows: imports, total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: (it) =>
      it.state.data?.rows.some((row) => row.status === "running") ? 2 * WATCH_MS : false,
  });

/** An import, watched until it ends: by its events, or where there are none by asking again. */
export const importQuery = (id: number, streams = false) =>
  queryOptions({
    queryKey: phonebookKey("import", id),
    queryFn: async () => (await ask(api.GET("/api/imports/{id}", { params: { path: { id } } }))).import,
    refetchInterval: (it) => (!streams && it.state.data?.status === "running" ? WATCH_MS : false),
  });

export interface Reject {
  line: string;
  value: string;
  reason: string;
}

/** The first rejects of an import, of the file that has them all. */
export const rejectsQuery = (id: number) =>
  queryOptions({
    queryKey: phonebookKey("rejects", id),
    queryFn: async (): Promise<Reject[]> => {
      const file = api.GET("/api/imports/{id}/rejects", { params: { path: { id } }, parseAs: "blob" });
      const [blob, { default: papa }] = await Promise.all([ask(file), import("papaparse")]);
      // The beginning of a file that may be long.
      const text = await blob.slice(0, REJECTS_BYTES).text();
      return papa.parse<Reject>(text, { header: true, skipEmptyLines: true, preview: REJECTS_SHOWN }).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

const REJECTS_BYTES = 16_384;
export const REJECTS_SHOWN = 10;

/** A name for a file that every system takes. */
export function fileNameOf(text: string, ending: string): string {
  const name = text
    .normalize("NFKD")
    .replace(/[^\w-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase()
    .slice(0, 60);
  return `${name || "contacts"}.${ending}`;
}
