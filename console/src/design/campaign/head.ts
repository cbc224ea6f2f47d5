// What a list's row does not have of its campaign: its text, its time. One small request a campaign, kept.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";

/** A campaign without its numbers. Its text and its scheduled time never change. */
export function headQuery(id: number) {
  return queryOptions({
    queryKey: own("campaigns", "head", id),
    queryFn: async () => {
      const params = { path: { id }, query: { numbers: 0 } };
      return (await ask(api.GET("/api/campaigns/{id}", { params }))).campaign;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
