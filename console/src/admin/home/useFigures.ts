// The platform's figures as they change: told by the daemon, and read again now and then only where it does not tell them.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { api } from "../../api/client";
import { opened, useEvents } from "../../api/events";
import { type Figures, figuresQuery } from "./figures";

/** Until a stream that broke off, or could not be had, is tried again. */
const AGAIN_MS = 60_000;

export function useFigures(hours: number) {
  const client = useQueryClient();
  const visible = useVisible();
  const [attempt, setAttempt] = useState(0);
  const streams = useEvents(
    visible ? `figures ${hours} ${attempt}` : null,
    (signal) =>
      opened(api.GET("/admin/figures/events", { params: { query: { hours } }, parseAs: "stream", signal })),
    ({ data }) => client.setQueryData(figuresQuery(hours).queryKey, JSON.parse(data) as Figures),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has its time
  useEffect(() => {
    if (streams || !visible) return;
    const timer = window.setTimeout(() => setAttempt((it) => it + 1), AGAIN_MS);
    return () => window.clearTimeout(timer);
  }, [streams, visible, attempt]);
  return { streams, figures: useQuery(figuresQuery(hours, streams)) };
}

/** Whether the page can be seen: a tab in the background holds no stream. */
function useVisible(): boolean {
  return useSyncExternalStore(watchVisibility, () => document.visibilityState !== "hidden");
}

function watchVisibility(watcher: () => void): () => void {
  document.addEventListener("visibilitychange", watcher);
  return () => document.removeEventListener("visibilitychange", watcher);
}
