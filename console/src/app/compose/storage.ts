// Where a form is kept while it is written: at once in session storage, until it is sent and over the end of a session
// too; a moment later at the daemon, with its files (`useKeptDraft`).
import { z } from "zod";
import { session } from "../../api/session";

export interface Storage<T> {
  /** What the daemon calls drafts of this form. */
  form: "sms" | "call";
  load: () => T;
  save: (written: T) => void;
  clear: () => void;
  /** What a draft is shown as. */
  titleOf: (written: T) => string;
  isBlank: (written: T) => boolean;
  /** An empty form with the choices of this one. */
  blankOf: (written: T) => T;
  /** The fields, the columns of files and the names of files as the daemon keeps them. */
  textOf: (written: T, columns: readonly string[], files?: readonly string[]) => string;
  /** What the daemon kept; null where it is of another version of this page. */
  read: (text: string) => { written: T; columns: string[]; files: string[] } | null;
  /** Which draft of the daemon is written here; null for none. */
  kept: () => KeptDraft | null;
  keep: (kept: KeptDraft | null) => void;
  /** The draft that was begun and is not heard of yet; null for none. */
  begun: () => BegunDraft | null;
  keepBegun: (begun: BegunDraft | null) => void;
}

/** A draft as it was begun: asked for once more under the same key it is the same draft. */
export interface BegunDraft {
  key: string;
  title: string;
  text: string;
}

/** A draft of the daemon that goes on in this tab. */
export interface KeptDraft {
  id: number;
  key: string | null;
  created_at: string;
  /** The last version that this tab knows. */
  version: number;
  /** Its fields in that version. */
  text: string;
  /** How many files it has. */
  files: number;
}

const keptDraft = z.object({
  id: z.number(),
  key: z.string().nullable(),
  created_at: z.string(),
  version: z.number(),
  text: z.string(),
  files: z.number(),
});
const begunDraft = z.object({ key: z.string(), title: z.string(), text: z.string() });
const names = z.array(z.string()).catch([]);
const listsOf = z.object({ columns: names, files: names });

interface Options<T> {
  form: "sms" | "call";
  fields: z.ZodType<T>;
  empty: T;
  /** Fields that usually stay the same from form to form: they are kept where nothing is written, and are no draft. */
  choices: readonly (keyof T)[];
  titleOf: (written: T) => string;
}

export function storageOf<T extends object>(name: string, options: Options<T>): Storage<T> {
  const { form, fields, empty, choices, titleOf } = options;
  const chosen = `${name}-choices`;
  const place = `${name}-kept`;
  const beginning = `${name}-begun`;
  const blankOf = (written: T): T => ({
    ...empty,
    ...Object.fromEntries(choices.map((it) => [it, written[it]])),
  });
  const isBlank = (written: T) =>
    JSON.stringify(fields.parse(blankOf(written))) === JSON.stringify(fields.parse(written));
  return {
    form,
    titleOf,
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
      if (isBlank(written)) {
        session.dropDraft(name);
        session.keep(chosen, text);
      } else session.keepDraft(name, text);
    },
    clear: () => session.dropDraft(name),
    isBlank,
    blankOf,
    textOf: (written, columns, files = []) =>
      JSON.stringify({ ...fields.parse(written), columns, files: [...files].sort() }),
    read(text) {
      try {
        const object: unknown = JSON.parse(text);
        return { written: fields.parse(object), ...listsOf.parse(object) };
      } catch {
        return null;
      }
    },
    kept() {
      try {
        return keptDraft.parse(JSON.parse(session.draft(place) ?? ""));
      } catch {
        return null;
      }
    },
    keep(kept) {
      if (kept) session.keepDraft(place, JSON.stringify(kept));
      else session.dropDraft(place);
    },
    begun() {
      try {
        return begunDraft.parse(JSON.parse(session.draft(beginning) ?? ""));
      } catch {
        return null;
      }
    },
    keepBegun(begun) {
      if (begun) session.keepDraft(beginning, JSON.stringify(begun));
      else session.dropDraft(beginning);
    },
  };
}
