// By day or by night: as the system says, or as this browser's user chose. Kept here only, and set on the page before
// anything is drawn.
import { useSyncExternalStore } from "react";

export const SCHEMES = ["system", "light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

const KEY = "scheme";
const NIGHT = "(prefers-color-scheme: dark)";
const watchers = new Set<() => void>();

/** Where storage is blocked the choice holds for this page. */
function read(): Scheme {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {}
  return SCHEMES.find((it) => it === kept) ?? "system";
}

function apply(scheme: Scheme): void {
  const { dataset } = document.documentElement;
  if (scheme === "system") delete dataset.scheme;
  else dataset.scheme = scheme;
}

let current = read();
apply(current);

export function choose(scheme: Scheme): void {
  current = scheme;
  apply(scheme);
  try {
    if (scheme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, scheme);
  } catch {}
  for (const watcher of watchers) watcher();
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  // Another tab's choice is this one's, too.
  const elsewhere = (event: StorageEvent) => {
    if (event.key !== KEY) return;
    current = read();
    apply(current);
    watcher();
  };
  window.addEventListener("storage", elsewhere);
  const system = window.matchMedia(NIGHT);
  system.addEventListener("change", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", elsewhere);
    system.removeEventListener("change", watcher);
  };
}

export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, () => current);
}

/** Whether pages are drawn for the night. */
export function useNight(): boolean {
  return useSyncExternalStore(subscribe, () =>
    current === "system" ? window.matchMedia(NIGHT).matches : current === "dark",
  );
}
