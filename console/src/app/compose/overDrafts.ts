// Drafts that are over: sent, or thrown away. Deleting them may fail, and may be cut off by closing the tab; so they are
// remembered in this browser, by account, until the daemon has deleted them, and offered no more. They are known by the keys
// that this page made for them, which no other draft has, and only the version that was sent is deleted.
import { z } from "zod";
import { ApiProblem } from "../../api/client";
import { session } from "../../api/session";
import { deleteDraft, deleteDraftOfKey, type FormDraft, readDraft } from "./drafts";

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
/** How long a draft may still come to be whose beginning was never answered. */
const UNHEARD_MS = 3_600_000;
/** What is remembered at most. */
const OVER_MAX = 100;

const over = z.object({
  /** None of drafts that were begun before there were keys. */
  key: z.string().nullable(),
  /** Null while it was never heard of. */
  id: z.number().nullable(),
  created_at: z.string().nullable(),
  /** That was sent. */
  version: z.number(),
  ended_at: z.number(),
});

export type OverDraft = z.infer<typeof over>;

const place = () => `drafts-over:${session.get()?.user.id ?? ""}`;

export function overDrafts(): OverDraft[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(place()) ?? "[]");
    return Array.isArray(list) ? list.flatMap((it) => over.safeParse(it).data ?? []) : [];
  } catch {
    return [];
  }
}

/** Whether a draft of the daemon is one of these: after a restore its id may be another's. */
export function isOver(draft: Pick<FormDraft, "id" | "key" | "created_at">, drafts: readonly OverDraft[]) {
  return drafts.some((it) =>
    it.key ? it.key === draft.key : it.id === draft.id && it.created_at === draft.created_at,
  );
}

const isSame = (one: OverDraft, other: OverDraft) =>
  one.key || other.key ? one.key === other.key : one.id === other.id && one.created_at === other.created_at;

function remember(drafts: OverDraft[]): void {
  if (!session.get()) return;
  try {
    if (drafts.length > 0) localStorage.setItem(place(), JSON.stringify(drafts.slice(-OVER_MAX)));
    else localStorage.removeItem(place());
  } catch {
    // A full storage must not make a campaign look unsent: the draft is offered again, no more.
  }
}

/** To be deleted. */
export function endDraft(draft: Omit<OverDraft, "ended_at">): void {
  const ended = { ...draft, ended_at: Date.now() };
  remember([...overDrafts().filter((it) => !isSame(it, ended)), ended]);
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
  for (const draft of overDrafts()) {
    const isDone = await deleteOne(draft).catch((thrown: unknown) => isSettled(thrown, draft));
    if (session.get()?.user.id !== user) return;
    // What was ended once more meanwhile is another version.
    if (isDone) {
      remember(overDrafts().filter((it) => !(isSame(it, draft) && it.version === draft.version)));
    }
  }
  if (overDrafts().length > 0) {
    window.clearTimeout(later);
    later = window.setTimeout(() => void deleteOver(Math.min(wait * 2, LONGEST_MS)), wait);
  }
}

async function deleteOne({ key, id, created_at, version }: OverDraft): Promise<boolean> {
  if (key) await deleteDraftOfKey(key, version);
  else if (id !== null && (await readDraft(id)).created_at === created_at) await deleteDraft(id, version);
  return true;
}

/** Whether nothing is left to do after a refusal. One that was changed elsewhere since is a draft of its own. */
function isSettled(thrown: unknown, { id, ended_at }: OverDraft): boolean {
  if (!(thrown instanceof ApiProblem)) return false;
  const isGone = thrown.status === 404 && (id !== null || Date.now() - ended_at > UNHEARD_MS);
  return isGone || thrown.code === "draft_changed";
}
