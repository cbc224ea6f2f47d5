// The draft as the daemon has it, and whether it is what this tab made of it.
import type { FormDraft } from "./drafts";

export interface AtDaemon {
  id: number;
  /** By which this page finds it; null where it was begun without. */
  key: string | null;
  created_at: string;
  version: number;
  text: string;
  files: Map<File, number>;
}

/** What was asked for since the last answer: answers may have been lost. */
export interface Asked {
  texts: string[];
  files: File[];
}

/** Whether they are one draft: after a restore an id may be another's. Without a key it is known by when it was begun. */
export function isSameDraft(one: Named, other: Named): boolean {
  if (one.key || other.key) return one.key === other.key;
  return one.id === other.id && one.created_at === other.created_at;
}

type Named = Pick<FormDraft, "id" | "key" | "created_at">;

/**
 * The draft as it is now, where all that it says was written in this tab; null where another device changed it.
 * `attached`: the files here.
 */
export function adopt(
  now: AtDaemon,
  answer: FormDraft,
  asked: Asked,
  attached: readonly File[],
): AtDaemon | null {
  if (!isSameDraft(now, answer)) return null;
  const text = answer.fields;
  if (text == null || (text !== now.text && !asked.texts.includes(text))) return null;
  const files = new Map<File, number>();
  for (const [file, id] of now.files) {
    if (answer.files.some((it) => it.id === id)) files.set(file, id);
    else if (attached.includes(file)) return null;
  }
  const known = new Set(files.values());
  for (const { id, name, bytes } of answer.files) {
    if (known.has(id)) continue;
    const file = asked.files.find((it) => !files.has(it) && it.name === name && it.size === bytes);
    if (!file) return null;
    files.set(file, id);
  }
  return { ...now, id: answer.id, version: answer.version, text, files };
}
