// Where a form is kept while it is written: in session storage until it is sent, over the end of a session too.
// Files are not kept: a browser does not give them back.
import type { z } from "zod";
import { session } from "../../api/session";

export interface Storage<T> {
  load: () => T;
  save: (written: T) => void;
  clear: () => void;
}

/** `choices` usually stay the same from form to form: they are kept where nothing is written, and are no draft. */
export function storageOf<T extends object>(
  name: string,
  fields: z.ZodType<T>,
  empty: T,
  choices: readonly (keyof T)[],
): Storage<T> {
  const chosen = `${name}-choices`;
  return {
    load() {
      try {
        return fields.parse(JSON.parse(session.draft(name) ?? session.kept(chosen) ?? ""));
      } catch {
        return empty;
      }
    },
    save(written) {
      if (!session.get()) return;
      const text = JSON.stringify(fields.parse(written));
      const blank = { ...empty, ...Object.fromEntries(choices.map((it) => [it, written[it]])) };
      if (JSON.stringify(fields.parse(blank)) === text) {
        session.dropDraft(name);
        session.keep(chosen, text);
      } else session.keepDraft(name, text);
    },
    clear: () => session.dropDraft(name),
  };
}
