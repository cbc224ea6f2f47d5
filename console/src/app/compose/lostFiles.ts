// Files of a draft that its fields name and that the daemon never got. Two files of one name are two.
import type { FormDraft } from "./drafts";

export interface LostFiles {
  names: readonly string[];
  /** The files that came from the daemon: none of them stands for one that is lost. */
  beside: readonly File[];
}

export const NONE_LOST: LostFiles = { names: [], beside: [] };

/** `names` without each of `others` once. */
export function without(names: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

/** Of these files those that the daemon does not have. It may shorten a name, so how many they are is counted first. */
export function lostOf(names: readonly string[], { files }: Pick<FormDraft, "files">): string[] {
  const lost = Math.max(0, names.length - files.length);
  const unmatched = without(
    names,
    files.map((it) => it.name),
  );
  return unmatched.slice(0, lost);
}

/** Those that are still missing: what was attached since under a name stands for one of that name. */
export function stillMissing({ names, beside }: LostFiles, attached: readonly File[]): string[] {
  const since = attached.filter((it) => !beside.includes(it));
  return without(
    names,
    since.map((it) => it.name),
  );
}

export function missingText(names: readonly string[]): string {
  return `This draft had ${names.join(", ")} attached, which could not be kept. Attach again what is missing, or go on without.`;
}
