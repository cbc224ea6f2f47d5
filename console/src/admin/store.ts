// What react-admin remembers for an administrator in this browser: saved filters, folded groups.
import { localStorageStore } from "react-admin";

const stored = localStorageStore(undefined, "talkdrum");

/** react-admin empties its store whenever a session ends; an expiry takes nothing away here, and logging out does. */
export const adminStore = { ...stored, reset: () => undefined };

export function forgetAdmin(): void {
  stored.reset();
}
