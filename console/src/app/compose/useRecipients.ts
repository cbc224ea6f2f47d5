// What the page knows of the recipients: numbers understood in the text, heads of files, first contacts of groups.
// Invariant: the work is bounded by what a person types and by the heads of files, never by the size of a list.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { ratesQuery } from "../../api/queries";
import type { Audience } from "./audience";
import { groupHeadQuery, groupsQuery } from "./calls";
import { canRead, type NumbersRead, prepare, readNumbers } from "./content/numbers";
import { groupSource, headOf, identity, type Recipient, type Source, sharedColumns } from "./merge";
import { type ColumnsSeen, columnsOf } from "./NumberColumns";
import { useRecipientsCheck } from "./useRecipientsCheck";

export interface Attached {
  file: File;
  /** Its columns and first rows, once they are read. */
  head: Source | null;
}

export type RecipientsRead = ReturnType<typeof useRecipients>;

const TYPED_SHOWN = 3;
const PREVIEWED = 10;

/** The calling code of numbers at the usual price. */
const HOME = "234";

/** Whether a number, in digits with its calling code, has the price of numbers abroad. */
export const isAbroad = (number: string) => !number.startsWith(HOME);

const UNREAD: NumbersRead = { numbers: [], duplicates: 0, rejects: [] };

/** Whether numbers can be read yet, which is prepared once there are some. */
function useReader(isWanted: boolean) {
  const [state, setState] = useState<"ready" | "awaited" | "failed">(() => (canRead() ? "ready" : "awaited"));
  useEffect(() => {
    if (!isWanted || state !== "awaited") return;
    let isGone = false;
    const become = (next: "ready" | "failed") => () => {
      if (!isGone) setState(next);
    };
    // Where it cannot be fetched the daemon alone counts.
    prepare().then(become("ready"), become("failed"));
    return () => {
      isGone = true;
    };
  }, [isWanted, state]);
  return state;
}

/** `byRate`: what they are sent has rates by destination, where any are set. */
export function useRecipients({ recipients: text, groups, audience, purpose }: Audience, byRate: boolean) {
  const [attached, setAttached] = useState<Attached[]>([]);
  const [numberColumns, setNumberColumns] = useState<string[]>([]);
  const [quoted, setQuoted] = useState<ColumnsSeen>();
  const latest = useRef(attached);
  latest.current = attached;
  const deferred = useDeferredValue(text);
  const reader = useReader(deferred !== "");
  const isReady = reader === "ready";
  const understood = useMemo(() => (isReady ? readNumbers(deferred) : UNREAD), [deferred, isReady]);
  const { data: known, isLoading: readsGroups } = useQuery(groupsQuery());
  const chosen = known?.filter((group) => groups.includes(group.id)) ?? [];
  const heads = useQueries({ queries: chosen.map((group) => groupHeadQuery(group.id)) });

  const put = (next: Attached[]) => {
    if (next.length !== latest.current.length) {
      // They were chosen for other files.
      setNumberColumns([]);
      setQuoted(undefined);
    }
    latest.current = next;
    setAttached(next);
  };
  const add = (files: readonly File[]) => {
    const have = new Set(latest.current.map((it) => identity(it.file)));
    const fresh = files.filter((file) => !have.has(identity(file)));
    put([...latest.current, ...fresh.map((file) => ({ file, head: null }))]);
    for (const file of fresh) {
      // A file that cannot be read has no preview; the daemon says what is wrong with it.
      const head = headOf(file).catch((): Source => ({ name: file.name, columns: [], head: [] }));
      void head.then((head) => put(latest.current.map((it) => (it.file === file ? { file, head } : it))));
    }
  };

  const { data: rates = [] } = useQuery({ ...ratesQuery(), enabled: byRate });
  const hasRates = byRate && rates.length > 0;
  const { asks, ...check } = useRecipientsCheck(
    deferred,
    { groups, audience, purpose },
    attached.map((it) => it.file),
    numberColumns,
    hasRates,
  );
  const sources: Source[] = [
    ...attached.flatMap(({ head }) => (head ? [head] : [])),
    ...chosen.map((group, at) => groupSource(group, heads[at]?.data ?? [])),
  ];
  const typed: Recipient[] = understood.numbers
    .slice(0, TYPED_SHOWN)
    .map((number) => ({ number, values: {} }));
  return {
    attached,
    understood,
    add,
    remove: (file: File) => put(latest.current.filter((it) => it.file !== file)),
    clear: () => put([]),
    /** Attaches these in place of those that are attached, and reads these columns as numbers. */
    replace: (files: readonly File[], columns: string[]) => {
      put([]);
      add(files);
      setNumberColumns(columns);
    },
    /** Columns of the files that are read as numbers; none: the daemon finds out. */
    numberColumns,
    /** What is known of these columns: by the check, or by a quote where files are too large for one. */
    columnsSeen: check.checked ?? quoted,
    choose: (columns: string[]) => {
      setNumberColumns(columns);
      const all = [...(quoted?.number_columns ?? []), ...(quoted?.unread_columns ?? [])];
      const unread_columns = all.filter((it) => !columns.includes(it));
      if (quoted) setQuoted({ number_columns: columns, unread_columns, notices: [] });
    },
    seeQuote: (quote: ColumnsSeen) => setQuoted(columnsOf(quote)),
    // Those of earlier lists the daemon alone knows.
    columns: (audience.length > 0 && check.checked?.columns) || sharedColumns(sources),
    preview: [...sources.flatMap((it) => it.head), ...typed].slice(0, PREVIEWED),
    ...check,
    /** Whether prices differ by destination. */
    hasRates,
    /** Those known to be abroad: of files and lists by the check, and of what is typed; of groups it is not known. */
    abroad: check.checked ? (check.checked.networks.abroad ?? 0) : understood.numbers.filter(isAbroad).length,
    /** Whether `total` is of all of them, and their prices are known: what files and earlier lists name the daemon alone
     * counts, and where there are rates, all of them. */
    isCounted: asks
      ? check.checked !== undefined
      : (deferred === "" || isReady) && (groups.length === 0 || known !== undefined),
    /** Whether they are while it is waited: else the quote alone counts them. */
    isCounting: asks
      ? check.checking
      : (deferred !== "" && reader === "awaited") || (groups.length > 0 && readsGroups),
    /** Understood so far. */
    total:
      check.checked?.total_contacts ??
      understood.numbers.length + chosen.reduce((sum, group) => sum + group.contacts_count, 0),
  };
}
