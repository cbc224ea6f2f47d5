// Who is signed in, in this tab. Kept in session storage, so that closing the tab signs out.
// Invariant: there is a user if and only if there is a token; signing out leaves nothing behind.
import { useSyncExternalStore } from "react";
import type { components } from "./schema";

export type User = components["schemas"]["User"];

export interface Session {
  token: string;
  user: User;
}

/** Why a session ended without the person asking for it. The texts are the specification's. */
export const ENDED = {
  unauthorized: "Login again",
  expired: "Inactivity time elapsed, Login again",
} as const;

export type Ended = keyof typeof ENDED;

const TOKEN = "token";
const USER = "user";
const watchers = new Set<() => void>();
const enders = new Set<(why: Ended) => void>();
let current: Session | null = read();

function read(): Session | null {
  const token = sessionStorage.getItem(TOKEN);
  const user = sessionStorage.getItem(USER);
  if (!token || !user) return null;
  try {
    return { token, user: JSON.parse(user) as User };
  } catch {
    return null;
  }
}

function change(next: Session | null): void {
  current = next;
  for (const watcher of watchers) watcher();
}

export const session = {
  get: (): Session | null => current,

  start(token: string, user: User): void {
    sessionStorage.setItem(TOKEN, token);
    sessionStorage.setItem(USER, JSON.stringify(user));
    change({ token, user });
  },

  /** The user as the daemon shows it now. */
  refresh(user: User): void {
    if (!current) return;
    sessionStorage.setItem(USER, JSON.stringify(user));
    change({ token: current.token, user });
  },

  clear(): void {
    sessionStorage.clear();
    change(null);
  },

  /** Forgets the session and tells whoever shows pages why. Said once, however many answers say it. */
  end(why: Ended): void {
    if (!current) return;
    session.clear();
    for (const ender of enders) ender(why);
  },

  onEnd(ender: (why: Ended) => void): () => void {
    enders.add(ender);
    return () => enders.delete(ender);
  },

  /** Small things that belong to the session, such as a payment's reference between redirect and return. */
  keep(key: string, value: string): void {
    sessionStorage.setItem(key, value);
  },
  kept: (key: string): string | null => sessionStorage.getItem(key),
  drop(key: string): void {
    sessionStorage.removeItem(key);
  },
};

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, session.get);
}

/** For tests, which write session storage themselves. */
export function reloadSession(): void {
  change(read());
}
