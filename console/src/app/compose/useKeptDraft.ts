// A form at the daemon: saved a moment after the last change, files and all; read back after a reload or on another device.
// Invariant: a change names the version it is of, one change at a time, so that nothing written elsewhere is overwritten
// unseen; and a draft whose files are not all here is not sent.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiProblem, freshKey } from "../../api/client";
import { messageOf } from "../../api/problem";
import { session } from "../../api/session";
import {
  addFile,
  createDraft,
  deleteDraft,
  draftsQuery,
  type FormDraft,
  fetchFile,
  readDraft,
  removeFile,
  saveDraft,
} from "./drafts";
import type { Storage } from "./storage";

/** After the last change. */
const PAUSE_MS = 1_000;
/** After a failure that may pass. */
const RETRY_MS = 15_000;

const UNREADABLE = "This draft was made by another version of this page, and cannot be shown.";
const UNREADY = "The files of this draft are not here yet: wait until they are, or go on without them.";

export type Saving =
  | { state: "none" | "waiting" | "saved" }
  /** `isFile`: all but a file is saved. */
  | { state: "failed"; text: string; isFile?: boolean };

export type Opening =
  | { state: "ready" }
  | { state: "reading" }
  /** The draft's files are on their way. */
  | { state: "fetching"; names: string[] }
  /** `isIncomplete`: it has files, and they are not here. */
  | { state: "failed"; text: string; id: number; isIncomplete: boolean }
  /** It was changed on another device, and here. */
  | { state: "changed" };

interface Options<D> {
  stored: Storage<D>;
  draft: D;
  files: readonly File[];
  columns: readonly string[];
  /** Whether the account may keep anything. */
  active: boolean;
  /** Shows a draft's fields. */
  show: (written: D) => void;
  /** Attaches its files in place of those that are attached, with these columns read as numbers. */
  attach: (files: File[], columns: string[]) => void;
}

/** The draft as the daemon has it. */
interface AtDaemon {
  id: number;
  version: number;
  text: string;
  files: Map<File, number>;
}

export type KeptForm = ReturnType<typeof useKeptDraft>;

export function useKeptDraft<D>(options: Options<D>) {
  const { stored, draft, files, columns, active } = options;
  const client = useQueryClient();
  const text = stored.textOf(draft, columns);
  const isBlank = stored.isBlank(draft) && files.length === 0;
  const wanted = useRef({ text, isBlank, title: "", files });
  wanted.current = { text, isBlank, title: stored.titleOf(draft), files };
  const latest = useRef(options);
  latest.current = options;
  const there = useRef<AtDaemon | null>(null);
  /** Files that the daemon does not keep, each with why. */
  const refused = useRef(new Map<File, string>());
  /** The text that was sent: it is no draft any more. */
  const over = useRef<string | null>(null);
  /** The draft that was deleted last. */
  const finished = useRef<number | null>(null);
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const creation = useRef({ text: "", key: "" });
  const [opening, setOpening] = useState<Opening>({ state: "reading" });
  const [saving, setSaving] = useState<Saving>({ state: "none" });
  const isReady = opening.state === "ready";
  if (text !== over.current) over.current = null;

  /** Remembers what the daemon answered. */
  const note = (answer: FormDraft, text: string) => {
    const files = there.current?.files ?? new Map<File, number>();
    there.current = { id: answer.id, version: answer.version, text, files };
    stored.keep({ id: answer.id, version: answer.version, text, files: answer.files.length });
  };
  const forget = () => {
    there.current = null;
    creation.current = { text: "", key: "" };
    stored.keep(null);
  };

  /** Makes the daemon's draft what is written here, one request after the other. */
  const save = async () => {
    for (;;) {
      const { text, isBlank, title, files } = wanted.current;
      const now = there.current;
      if (over.current === text || !session.get()) return;
      if (isBlank) {
        if (now) {
          await deleteDraft(now.id).catch(ignoreMissing);
          forget();
        }
        return setSaving({ state: "none" });
      }
      const content = { title, fields: text };
      if (!now) {
        if (creation.current.text !== text) creation.current = { text, key: freshKey() };
        note(await createDraft(stored.form, content, creation.current.key), text);
        continue;
      }
      if (now.text !== text) {
        note(await saveDraft(now.id, now.version, content), text);
        continue;
      }
      const gone = [...now.files].find(([file]) => !files.includes(file));
      if (gone) {
        note(await removeFile(now.id, now.version, gone[1]), now.text);
        now.files.delete(gone[0]);
        continue;
      }
      const added = files.find((file) => !now.files.has(file) && !refused.current.has(file));
      if (!added) break;
      try {
        const { draft, file_id } = await addFile(now.id, now.version, added);
        now.files.set(added, file_id);
        note(draft, now.text);
      } catch (thrown) {
        // Too large, or too much: the rest is kept all the same.
        if (!(thrown instanceof ApiProblem) || ![400, 413, 422].includes(thrown.status)) throw thrown;
        refused.current.set(added, `${added.name} is not kept. ${thrown.message}`);
      }
    }
    const [left] = wanted.current.files.flatMap((file) => refused.current.get(file) ?? []);
    setSaving(left ? { state: "failed", text: left, isFile: true } : { state: "saved" });
  };

  const queue = (work: () => Promise<unknown>) => {
    const next = chain.current.then(work);
    chain.current = next.catch(() => undefined);
    return next;
  };

  const [attempt, setAttempt] = useState(0);
  const saveSoon = () =>
    queue(save).catch((thrown: unknown) => {
      if (!(thrown instanceof ApiProblem)) throw thrown;
      if (thrown.code === "draft_changed") {
        setSaving({ state: "none" });
        return setOpening({ state: "changed" });
      }
      // Sent or deleted elsewhere: what is written here is a draft of its own.
      if (thrown.status === 404) {
        forget();
        setAttempt((it) => it + 1);
      } else setSaving({ state: "failed", text: messageOf(thrown) });
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is read when it is saved
  useEffect(() => {
    if (!isReady || !active || (isBlank && !there.current)) return;
    setSaving((it) => (it.state === "failed" ? it : { state: "waiting" }));
    const timer = window.setTimeout(() => void saveSoon(), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, files.map((file) => `${file.name} ${file.size}`).join("\n"), isReady, active, attempt]);

  const isFailed = saving.state === "failed" && !saving.isFile;
  useEffect(() => {
    if (!isFailed || !isReady) return;
    const timer = window.setTimeout(() => setAttempt((it) => it + 1), RETRY_MS);
    return () => window.clearTimeout(timer);
  }, [isFailed, isReady]);

  // What was written in the last moment is saved when the page is left.
  const leave = useRef<() => void>(() => undefined);
  leave.current = () => {
    const { text, isBlank } = wanted.current;
    if (isReady && active && !isBlank && text !== there.current?.text) void saveSoon();
  };
  useEffect(() => () => leave.current(), []);

  /** Goes on with a draft: its fields at once, then its files. */
  const take = async (answer: FormDraft, shows: boolean) => {
    const fields = answer.fields ?? "";
    const read = stored.read(fields);
    if (!read) throw new ApiProblem(0, "unreadable_draft", UNREADABLE);
    if (shows) latest.current.show(read.written);
    there.current = null;
    note(answer, fields);
    const files = new Map<File, number>();
    if (answer.files.length > 0) setOpening({ state: "fetching", names: answer.files.map((it) => it.name) });
    for (const file of answer.files) files.set(await fetchFile(answer.id, file), file.id);
    there.current = { id: answer.id, version: answer.version, text: fields, files };
    latest.current.attach([...files.keys()], read.columns);
    setSaving({ state: "saved" });
    setOpening({ state: "ready" });
  };

  /** Reads a draft and goes on as `choose` says, between two changes. */
  const read = (id: number, choose: (answer: FormDraft) => unknown) => {
    let files = stored.kept()?.files ?? 0;
    setOpening({ state: "reading" });
    const work = async () => {
      const answer = await readDraft(id);
      files = answer.files.length;
      await choose(answer);
    };
    queue(work).catch((thrown: unknown) => {
      if (thrown instanceof ApiProblem && thrown.status === 404) {
        // Sent or deleted elsewhere.
        forget();
        setOpening({ state: "ready" });
      } else setOpening({ state: "failed", text: messageOf(thrown), id, isIncomplete: files > 0 });
    });
  };
  const open = (id: number) => read(id, (answer) => take(answer, true));

  /** After a reload: what this tab has is as new as what it saved, or newer; what another device saved is newer, too. */
  const reopen = () => {
    const kept = stored.kept();
    if (!kept) return setOpening({ state: "ready" });
    // The columns of files are in no session storage.
    const bare = (text: string) => {
      const it = stored.read(text);
      return it && stored.textOf(it.written, []);
    };
    read(kept.id, (answer) => {
      const isUnsaved = bare(wanted.current.text) !== bare(kept.text);
      const isSame = answer.version === kept.version;
      if (isUnsaved && !isSame) setOpening({ state: "changed" });
      else return take(answer, !isUnsaved);
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(reopen, []);

  const isFree = isReady && isBlank && active;
  const offers = useQuery({ ...draftsQuery(stored.form), enabled: isFree, staleTime: 0 });
  const listAgain = () => client.invalidateQueries({ queryKey: draftsQuery(stored.form).queryKey });
  const currentId = () => there.current?.id ?? stored.kept()?.id;
  const isIncomplete = opening.state === "failed" && opening.isIncomplete;

  return {
    saving,
    opening,
    /** Drafts to go on with, while nothing is written here. */
    offers: isFree ? (offers.data ?? []) : [],
    /** Why nothing may be sent now. */
    unready: opening.state === "reading" || opening.state === "fetching" || isIncomplete ? UNREADY : null,
    open,
    discard: (id: number) => void deleteDraft(id).catch(ignoreMissing).then(listAgain),
    /** Goes on with what is here, as a draft of its own. The one that could not be read is left as it is. */
    goOnWithout: () => {
      forget();
      setOpening({ state: "ready" });
    },
    /** Takes what another device saved in place of what is written here. */
    takeTheirs: () => {
      const id = currentId();
      if (id) open(id);
    },
    /** Saves what is written here over what another device saved. */
    keepMine: () => {
      const id = currentId();
      if (!id) return;
      read(id, (answer) => {
        const files = new Map(there.current?.files);
        const known = new Set(files.values());
        for (const [file, id] of files) if (!answer.files.some((it) => it.id === id)) files.delete(file);
        // What the other device added goes out with the next change: it is not here.
        for (const { id, name } of answer.files) if (!known.has(id)) files.set(new File([], name), id);
        there.current = { id, version: answer.version, text: answer.fields ?? "", files };
        setOpening({ state: "ready" });
      });
    },
    /** It was sent, or is thrown away. */
    finish: () => {
      over.current = wanted.current.text;
      const begun = currentId();
      stored.keep(null);
      setSaving({ state: "none" });
      void queue(async () => {
        const id = currentId() ?? begun;
        forget();
        refused.current.clear();
        // A form that is sent and emptied is finished twice.
        if (id && id !== finished.current) {
          finished.current = id;
          await deleteDraft(id).catch(ignoreMissing);
        }
        await listAgain();
      }).catch(() => undefined);
    },
  };
}

function ignoreMissing(thrown: unknown): void {
  if (!(thrown instanceof ApiProblem && thrown.status === 404)) throw thrown;
}
