// A form at the daemon: saved a moment after the last change, files and all; read back after a reload or on another device.
// Invariant: a change names the version it is of, one change at a time, so that nothing written elsewhere is overwritten
// unseen; and a draft whose files are not all here is not sent.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiProblem, freshKey } from "../../api/client";
import { messageOf } from "../../api/problem";
import { session } from "../../api/session";
import { toast } from "../../design/toasts";
import { type Asked, type AtDaemon, adopt, isSameDraft } from "./adopt";
import {
  addFile,
  createDraft,
  deleteDraftOfKey,
  deleteOnly,
  draftsQuery,
  type FormDraft,
  fetchFile,
  ignoreMissing,
  nameOf,
  readDraft,
  removeFile,
  saveDraft,
} from "./drafts";
import type { Opening, Saving } from "./keptState";
import { type LostFiles, lostOf, missingText, NONE_LOST, stillMissing } from "./lostFiles";
import { deleteOver, endDraft, isOver, overDrafts } from "./overDrafts";
import type { Storage } from "./storage";

/** After the last change. */
const PAUSE_MS = 1_000;
/** After a failure that may pass. */
const RETRY_MS = 15_000;

/** Of a draft that was just begun. */
const FIRST_VERSION = 1;

const UNREADABLE = "This draft was made by another version of this page, and cannot be shown.";
const UNREADY = "The files of this draft are not here yet: wait until they are, or go on without them.";
const UNKEPT = "You are signed out: sign in again to have this kept.";
const UNDECIDED = "This draft was changed elsewhere: choose first which of the two is kept.";

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

export type KeptForm = ReturnType<typeof useKeptDraft>;

export function useKeptDraft<D>(options: Options<D>) {
  const { stored, draft, files, columns, active } = options;
  const client = useQueryClient();
  /** Files of the draft that the daemon never got, and that are not here. */
  const [lost, setLost] = useState<LostFiles>(NONE_LOST);
  const missing = stillMissing(lost, files);
  const text = stored.textOf(draft, columns, [...files.map((it) => it.name), ...missing]);
  const isBlank = stored.isBlank(draft) && files.length === 0 && missing.length === 0;
  const wanted = useRef({ text, isBlank, title: "", files });
  wanted.current = { text, isBlank, title: stored.titleOf(draft), files };
  const latest = useRef(options);
  latest.current = options;
  const there = useRef<AtDaemon | null>(null);
  /** Files that the daemon does not keep, each with why. */
  const refused = useRef(new Map<File, string>());
  /** The text that was sent: it is no draft any more. */
  const over = useRef<string | null>(null);
  /** What this tab had written of a draft that another device sent or deleted: as it stands it is no draft any more. */
  const gone = useRef<string | null>(null);
  /** Gives up the files that are on their way. */
  const stopFetching = useRef<() => void>(() => undefined);
  /** How many forms were finished here. */
  const epoch = useRef(0);
  /** Tells of what is begun now whether the form it is for is still here: what is late says nothing of the next one. */
  const watchForm = () => {
    const begun = epoch.current;
    return () => begun === epoch.current;
  };
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const asked = useRef<Asked>({ texts: [], files: [] });
  const [opening, setOpening] = useState<Opening>({ state: "reading" });
  const [saving, setSaving] = useState<Saving>({ state: "none" });
  const isReady = opening.state === "ready";
  /** A person has to choose between two drafts: what is queued meanwhile saves neither over the other. */
  const undecided = useRef(false);
  const askWhich = () => {
    undecided.current = true;
    setSaving({ state: "none" });
    setOpening({ state: "changed" });
  };
  /** The next form, empty and with no draft: there is nothing to choose, to fetch or to be missed. */
  const beginAnew = () => {
    epoch.current += 1;
    stopFetching.current();
    undecided.current = false;
    setOpening({ state: "ready" });
    setLost(NONE_LOST);
    setSaving({ state: "none" });
  };
  if (text !== over.current) over.current = null;

  /** Remembers what the daemon answered. */
  const note = (answer: FormDraft, text: string) => {
    const files = there.current?.files ?? new Map<File, number>();
    asked.current = { texts: [], files: [] };
    there.current = { ...nameOf(answer), text, files };
    stored.keep({ ...nameOf(answer), text, files: answer.files.length });
    stored.keepBegun(null);
  };
  const forget = () => {
    there.current = null;
    asked.current = { texts: [], files: [] };
    stored.keep(null);
    stored.keepBegun(null);
  };

  /**
   * Makes the daemon's draft what is written here, one request after the other; false where a person has to choose. Once the
   * form is finished the rest is not done: what is written then is of another draft.
   */
  const save = async (isHere: () => boolean): Promise<boolean> => {
    for (;;) {
      if (!isHere()) return true;
      const { text, isBlank, title, files } = wanted.current;
      const now = there.current;
      if (over.current === text) return true;
      if (!session.get() || undecided.current) return false;
      if (isBlank) {
        const begun = stored.begun();
        if (now) await deleteOnly(now).catch(ignoreMissing);
        else if (begun) await deleteDraftOfKey(begun.key, FIRST_VERSION).catch(ignoreMissing);
        if (now || begun) forget();
        setSaving({ state: "none" });
        return true;
      }
      const content = { title, fields: text };
      if (!now) {
        // Where the answer was lost it is asked for once more as it was, and goes on from there.
        const begun = stored.begun() ?? { key: freshKey(), title, text };
        stored.keepBegun(begun);
        const first = { title: begun.title, fields: begun.text };
        const answer = await createDraft(stored.form, first, begun.key);
        if (answer.fields === begun.text) {
          note(answer, begun.text);
          continue;
        }
        // Another device went on with it meanwhile: what is known here is the version that was begun.
        note({ ...answer, version: FIRST_VERSION }, begun.text);
        if (isHere()) askWhich();
        return false;
      }
      if (now.text !== text) {
        asked.current.texts.push(text);
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
      asked.current.files.push(added);
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
    if (!isHere()) return true;
    const [left] = wanted.current.files.flatMap((file) => refused.current.get(file) ?? []);
    setSaving(left ? { state: "failed", text: left, isFile: true } : { state: "saved" });
    return true;
  };

  const queue = (work: () => Promise<unknown>) => {
    const next = chain.current.then(work);
    chain.current = next.catch(() => undefined);
    return next;
  };

  // The columns and files are in no session storage.
  const bare = (text: string) => {
    const it = stored.read(text);
    return it && stored.textOf(it.written, []);
  };
  const isGone = () => {
    const { text, files } = wanted.current;
    return gone.current !== null && files.length === 0 && bare(text) === gone.current;
  };

  const [attempt, setAttempt] = useState(0);
  const saveAgain = () => setAttempt((it) => it + 1);
  const fail = (thrown: unknown) => {
    if (!(thrown instanceof ApiProblem)) throw thrown;
    const { status, code } = thrown;
    const isPassing = status === 0 || status === 408 || status === 429 || status >= 500;
    setSaving({ state: "failed", text: messageOf(thrown), isPassing, isFull: code === "drafts_full" });
  };
  /** The daemon has another draft than was thought: is it this tab's own, whose answer was lost, or another's? */
  const compareWithDaemon = async (refusal: ApiProblem, isHere: () => boolean) => {
    const now = there.current;
    const answer = now && (await readDraft(now.id).catch(ignoreMissing));
    // Sent or thrown away here meanwhile: what the daemon has then is no choice.
    if (!isHere()) return;
    if (!now || !answer || !isSameDraft(now, answer)) {
      // Sent or deleted elsewhere: what is written here is a draft of its own.
      forget();
      return saveAgain();
    }
    const own = adopt(now, answer, asked.current, wanted.current.files);
    if (!own) return askWhich();
    if (own.version === now.version && own.files.size === now.files.size) throw refusal;
    there.current = own;
    note(answer, own.text);
    saveAgain();
  };
  const saveSoon = () => {
    const isHere = watchForm();
    return queue(async () => {
      try {
        await save(isHere);
      } catch (thrown) {
        if (!(thrown instanceof ApiProblem)) throw thrown;
        if (thrown.code !== "draft_changed" && thrown.status !== 404) throw thrown;
        await compareWithDaemon(thrown, isHere);
      }
    }).catch((thrown: unknown) => isHere() && fail(thrown));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is read when it is saved
  useEffect(() => {
    if (!isReady || !active || (isBlank && !there.current) || isGone()) return;
    setSaving((it) => (it.state === "failed" ? it : { state: "waiting" }));
    const timer = window.setTimeout(() => void saveSoon(), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, files.map((file) => `${file.name} ${file.size}`).join("\n"), isReady, active, attempt]);

  useEffect(() => {
    if (saving.state !== "failed" || !saving.isPassing || !isReady) return;
    const timer = window.setTimeout(() => setAttempt((it) => it + 1), RETRY_MS);
    return () => window.clearTimeout(timer);
  }, [saving, isReady]);

  const isFree = isReady && isBlank && active;
  const isFull = isReady && saving.state === "failed" && saving.isFull === true;
  // An account has so many drafts of all forms together.
  const listed = draftsQuery(isFull ? undefined : stored.form);
  const offers = useQuery({ ...listed, enabled: isFree || isFull, staleTime: 0 });
  const listAgain = () => client.invalidateQueries({ queryKey: draftsQuery().queryKey.slice(0, -1) });
  const ended = overDrafts();

  // What was written in the last moment is saved when the page is left.
  const leave = useRef<() => void>(() => undefined);
  leave.current = () => {
    const { text, isBlank } = wanted.current;
    if (isReady && active && !isBlank && !isGone() && text !== there.current?.text) void saveSoon();
  };
  useEffect(() => () => leave.current(), []);

  /** Fetches a draft's files and attaches them beside those in `more`; null where the form was finished meanwhile. */
  const fetchFiles = async (answer: FormDraft, columns: string[], more: () => readonly File[]) => {
    const isHere = watchForm();
    const files = new Map<File, number>();
    if (answer.files.length > 0) setOpening({ state: "fetching", names: answer.files.map((it) => it.name) });
    const stop = new AbortController();
    stopFetching.current = () => stop.abort();
    try {
      for (const file of answer.files) files.set(await fetchFile(answer.id, file, stop.signal), file.id);
    } catch (thrown) {
      // Gone on without them.
      if (stop.signal.aborted) return null;
      throw thrown;
    }
    if (!isHere() || stop.signal.aborted) return null;
    setOpening({ state: "ready" });
    there.current = { ...nameOf(answer), text: answer.fields ?? "", files };
    latest.current.attach([...files.keys(), ...more()], columns);
    return [...files.keys()];
  };
  const readFields = (answer: FormDraft) => {
    const read = stored.read(answer.fields ?? "");
    if (!read) throw new ApiProblem(0, "unreadable_draft", UNREADABLE);
    return read;
  };

  /** Goes on with a draft: its fields at once, then its files. What was attached since `before` stays. */
  const take = async (answer: FormDraft, shows: boolean, before: readonly File[]) => {
    const read = readFields(answer);
    if (shows) latest.current.show(read.written);
    there.current = null;
    stored.keep({ ...nameOf(answer), text: answer.fields ?? "", files: answer.files.length });
    const more = () => wanted.current.files.filter((it) => !before.includes(it));
    const beside = await fetchFiles(answer, read.columns, more);
    if (!beside) return;
    setLost({ names: lostOf(read.files, answer), beside });
    setSaving({ state: "saved" });
  };

  /** The draft was sent or deleted elsewhere: its files went with it, and what is left is one again once it changes. */
  const loseToOthers = () => {
    const had = stored.kept()?.text ?? "";
    const here = bare(wanted.current.text);
    if (here === bare(had)) gone.current = here ?? null;
    setLost({ names: stored.read(had)?.files ?? [], beside: [] });
    forget();
  };

  type Choose = (answer: FormDraft, before: readonly File[]) => unknown;
  /**
   * Reads a draft and goes on as `choose` says, between two changes; after a failure of that, as `again` says. Another draft
   * under the id of the one that goes on here is as good as none.
   */
  const read = (id: number, choose: Choose, again = choose, before = wanted.current.files) => {
    let files = stored.kept()?.files ?? 0;
    let next = choose;
    setOpening({ state: "reading" });
    const isHere = watchForm();
    const work = async () => {
      if (!isHere()) return;
      undecided.current = false;
      const answer = await readDraft(id).catch(ignoreMissing);
      if (!isHere()) return;
      const known = there.current ?? stored.kept();
      if (!answer || (known?.id === id && !isSameDraft(known, answer))) {
        loseToOthers();
        return setOpening({ state: "ready" });
      }
      files = answer.files.length;
      next = again;
      await choose(answer, before);
    };
    queue(work).catch((thrown: unknown) => {
      if (!isHere()) return;
      const retry = () => read(id, next, again, before);
      setOpening({ state: "failed", text: messageOf(thrown), isIncomplete: files > 0, retry });
    });
  };

  /** What this tab has is as new as what it saved, or newer; what another device saved is newer, too. */
  const compare: Choose = (answer, before) => {
    const kept = stored.kept();
    if (kept?.id !== answer.id) return take(answer, true, before);
    const here = bare(wanted.current.text);
    const isUnsaved = here !== bare(kept.text) && here !== bare(answer.fields ?? "");
    if (isUnsaved && answer.version !== kept.version) askWhich();
    else return take(answer, !isUnsaved, before);
  };
  const takeAll: Choose = (answer, before) => take(answer, true, before);
  const open = (id: number) => {
    // It was offered, whatever had its id before.
    forget();
    read(id, takeAll, compare);
  };

  const reopen = () => {
    if (ended.length > 0) void deleteOver().then(listAgain);
    const kept = stored.kept();
    if (kept) read(kept.id, compare);
    else setOpening({ state: "ready" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(reopen, []);

  /** Finds out the version of a draft whose last changes were not answered, where they are its last. */
  const catchUp = async () => {
    const now = there.current;
    if (!now || asked.current.texts.length + asked.current.files.length === 0) return;
    const answer = await readDraft(now.id);
    there.current = adopt(now, answer, asked.current, [...now.files.keys()]) ?? now;
  };

  const currentId = () => there.current?.id ?? stored.kept()?.id;
  const unready = () => {
    if (opening.state === "changed") return UNDECIDED;
    if (opening.state !== "ready") return UNREADY;
    return missing.length > 0 ? missingText(missing) : null;
  };

  return {
    saving,
    opening,
    /** Drafts to go on with, while nothing is written here; where there are too many, to delete. */
    offers: isFree || isFull ? (offers.data ?? []).filter((it) => !isOver(it, ended)) : [],
    isFull,
    /** Names of files that the draft had, and that are lost. */
    missing,
    dismissMissing: () => setLost(NONE_LOST),
    /** Why nothing may be sent now. */
    unready: unready(),
    open,
    /** Only as it was offered: one that was changed meanwhile is another's work. */
    discard: async (draft: FormDraft) => {
      try {
        await deleteOnly(draft).catch(ignoreMissing);
        if (isFull) saveAgain();
      } catch (thrown) {
        toast.error(messageOf(thrown));
      }
      await listAgain();
    },
    /** Goes on with what is here, as a draft of its own. The one that could not be read is left as it is. */
    goOnWithout: () => {
      stopFetching.current();
      forget();
      setLost(NONE_LOST);
      setOpening({ state: "ready" });
    },
    /** Takes what another device saved in place of what is written here. */
    takeTheirs: () => {
      const id = currentId();
      if (id) read(id, takeAll, compare);
    },
    /** Saves what is written here over what another device saved. */
    keepMine: () => {
      const id = currentId();
      if (!id) return;
      read(id, async (answer) => {
        const now = there.current;
        if (!now) {
          // After a reload: its files are not here, and are not to go.
          const read = readFields(answer);
          const beside = await fetchFiles(answer, read.columns, () => wanted.current.files);
          if (beside) setLost({ names: lostOf(read.files, answer), beside });
          return;
        }
        const files = new Map(now.files);
        const known = new Set(files.values());
        for (const [file, id] of files) if (!answer.files.some((it) => it.id === id)) files.delete(file);
        // What the other device added goes out with the next change: it is not here.
        for (const { id, name } of answer.files) if (!known.has(id)) files.set(new File([], name), id);
        there.current = { ...nameOf(answer), text: answer.fields ?? "", files };
        setOpening({ state: "ready" });
      });
    },
    /** Lets what is written here stay as a draft, and begins with none; false where it cannot be kept. */
    setAside: async () => {
      try {
        const isHere = watchForm();
        await queue(async () => {
          // What was sent or deleted elsewhere, and is as it was then, is no draft any more.
          const isKept = isGone() || (await save(isHere));
          if (!isKept) throw new ApiProblem(0, "not_kept", session.get() ? UNDECIDED : UNKEPT);
          const [left] = wanted.current.files.flatMap((file) => refused.current.get(file) ?? []);
          if (left) throw new ApiProblem(0, "file_not_kept", left);
          forget();
          beginAnew();
        });
      } catch (thrown) {
        toast.error(messageOf(thrown));
        return false;
      }
      return true;
    },
    /** It was sent, or is thrown away. */
    finish: () => {
      over.current = wanted.current.text;
      // Remembered at once: the tab may be closed before it is deleted. A form that is sent and emptied is finished twice.
      const end = () => {
        const begun = stored.begun();
        const ended = there.current ?? stored.kept();
        if (ended) endDraft({ ...nameOf(ended), id: ended.id });
        else if (begun) endDraft({ key: begun.key, id: null, created_at: null, version: FIRST_VERSION });
      };
      end();
      stored.keep(null);
      beginAnew();
      void queue(async () => {
        // The answer to its last change may have been lost: then it has a later version.
        await catchUp().catch(() => undefined);
        end();
        forget();
        refused.current.clear();
        await deleteOver();
        await listAgain();
      }).catch(() => undefined);
    },
  };
}
