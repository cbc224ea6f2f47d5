// Texts that are written often, as the daemon keeps them.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";

export type Template = components["schemas"]["Template"];

export function templatesQuery() {
  return queryOptions({
    queryKey: own("compose", "templates"),
    queryFn: async () => (await ask(api.GET("/api/templates"))).templates,
  });
}

/** Keeps a text under a name; in place of the template `id` where there is one. */
export function saveTemplate({ id, ...body }: { id?: number; name: string; text: string }) {
  return id === undefined
    ? ask(api.POST("/api/templates", { body }))
    : ask(api.PUT("/api/templates/{id}", { params: { path: { id } }, body }));
}

export function deleteTemplate(id: number) {
  return ask(api.DELETE("/api/templates/{id}", { params: { path: { id } } }));
}
