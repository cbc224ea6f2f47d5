// Drafts that are over: sent, or thrown away. Deleting them may fail, and may be cut off by closing the tab; so they are
// remembered in this browser, by account, until the daemon has deleted them, and offered no more.
import { ApiProblem } from "../../api/client";
import { session } from "../../api/session";
import { deleteDraft } from "./drafts";

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

const place = () => `drafts-over:${session.get()?.user.id ?? ""}`;

export function overDrafts(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(place()) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : [];
  } catch {
    return [];
  }
}

function remember(ids: number[]): void {
  if (!session.get()) return;
  try {
    if (ids.length > 0) localStorage.setItem(place(), JSON.stringify(ids));
    else localStorage.removeItem(place());
  } catch {
    // A full storage must not make a campaign look unsent: the draft is offered again, no more.
  }
}

/** To be deleted. */
export function endDraft(id: number): void {
  remember([...new Set([...overDrafts(), id])]);
}

let work: Promise<void> | null = null;
let later = 0;

/** Deletes those that are over; those that it cannot, later again, less and less often. */
export function deleteOver(wait = FIRST_MS): Promise<void> {
  work ??= deleteAll(wait).finally(() => {
    work = null;
  });
  return work;
}

async function deleteAll(wait: number): Promise<void> {
  const user = session.get()?.user.id;
  for (const id of overDrafts()) {
    const isDone = await deleteDraft(id).then(
      () => true,
      (thrown: unknown) => thrown instanceof ApiProblem && thrown.status === 404,
    );
    if (session.get()?.user.id !== user) return;
    if (isDone) remember(overDrafts().filter((it) => it !== id));
  }
  if (overDrafts().length > 0) {
    window.clearTimeout(later);
    later = window.setTimeout(() => void deleteOver(Math.min(wait * 2, LONGEST_MS)), wait);
  }
}
