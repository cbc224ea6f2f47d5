// Who is signed in, in this tab. Kept in session storage, so that closing the tab signs out.
// Invariant: there is a user if and only if there is a token; signing out leaves nothing behind. A session that ends
// without the person asking leaves drafts, which only the same account gets back.
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
/** Unsent text, by account. */
const DRAFT = "draft:";
/** The account whose drafts outlived its session. */
const OUTLIVED = "draft-outlived";
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
    for (const key of drafts()) if (!key.startsWith(draftKey(user.id, ""))) sessionStorage.removeItem(key);
    if (sessionStorage.getItem(OUTLIVED) !== String(user.id)) sessionStorage.removeItem(OUTLIVED);
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

  /** Forgets the session and tells the listeners why; once, however many answers report it. */
  end(why: Ended): void {
    if (!current) return;
    const { id } = current.user;
    const kept = drafts().map((key) => [key, sessionStorage.getItem(key) ?? ""] as const);
    session.clear();
    for (const [key, text] of kept) sessionStorage.setItem(key, text);
    if (kept.length > 0) sessionStorage.setItem(OUTLIVED, String(id));
    for (const ender of enders) ender(why);
  },

  /** What is being written, kept for its account; null for none. */
  draft: (name: string): string | null => current && sessionStorage.getItem(draftKey(current.user.id, name)),
  keepDraft(name: string, text: string): void {
    if (current) sessionStorage.setItem(draftKey(current.user.id, name), text);
  },
  dropDraft(name: string): void {
    if (current) sessionStorage.removeItem(draftKey(current.user.id, name));
    sessionStorage.removeItem(OUTLIVED);
  },
  /** Whether drafts are there from before a session ended by itself. */
  outlived: (): boolean => sessionStorage.getItem(OUTLIVED) !== null,

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

function draftKey(user: number, name: string): string {
  return `${DRAFT}${user}:${name}`;
}

function drafts(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT));
}

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
