// Which entry of the menu a page belongs to, where its address alone does not say: campaigns of calls and of messages have
// addresses of one kind.
import { useEffect, useSyncExternalStore } from "react";

let place: string | null = null;
const watchers = new Set<() => void>();

function change(next: string | null): void {
  place = next;
  for (const watcher of watchers) watcher();
}

/** Says where the page belongs, while it is shown. */
export function usePlace(address: string): void {
  useEffect(() => {
    change(address);
    return () => change(null);
  }, [address]);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Where the page that is shown belongs; null where its address says it. */
export function useShownPlace(): string | null {
  return useSyncExternalStore(subscribe, () => place);
}
