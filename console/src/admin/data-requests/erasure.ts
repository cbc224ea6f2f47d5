// Erasing a number: calls one after another until the daemon says that all is erased. It goes on when the page is left.
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, ask } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import { session } from "../../api/session";
import { toast } from "../../design/toasts";

type ErasedTable = components["schemas"]["ErasedTable"];

/** How far an erasure is. */
export interface Progress {
  number: string;
  /** Rows that were erased, by table. */
  tables: readonly ErasedTable[];
  /** The table that is next; null when all is erased. */
  next: string | null;
  /** Rows that hold it yet, as they are not over. */
  stays: readonly ErasedTable[];
  /** Whether what was overwritten is gone from the database's own log, too. */
  isClean: boolean;
}

/** Erases a number, and says after each call how far that is. Fails with the daemon's problem: what was erased stays so. */
export async function erase(number: string, onProgress: (now: Progress) => void): Promise<Progress> {
  const by = session.get()?.user.id;
  let now: Progress = { number, tables: [], next: null, stays: [], isClean: false };
  let from: string | null = null;
  do {
    // Another person who signs in to this tab meanwhile did not ask for it.
    if (session.get()?.user.id !== by) throw new ApiProblem(0, "signed_out", "You signed out meanwhile.");
    const answer: components["schemas"]["ErasedSubject"] = await ask(
      api.POST("/admin/subjects/{number}/erase", {
        params: { path: { number } },
        body: from === null ? {} : { from },
      }),
    );
    from = answer.next ?? null;
    now = {
      number,
      tables: added(now.tables, answer.tables),
      // What is given back as it is begins with the table.
      next: from?.split(":")[0] ?? null,
      stays: answer.stays ?? [],
      isClean: answer.is_clean,
    };
    onProgress(now);
  } while (from !== null);
  return now;
}

/** Two counts in one: a table that is erased in several calls stands there once. */
function added(before: readonly ErasedTable[], more: readonly ErasedTable[]): ErasedTable[] {
  const sums = new Map<string, number>();
  for (const { table, rows } of [...before, ...more]) sums.set(table, (sums.get(table) ?? 0) + rows);
  return [...sums].map(([table, rows]) => ({ table, rows }));
}

export const rowsErased = ({ tables }: Pick<Progress, "tables">) =>
  tables.reduce((sum, it) => sum + it.rows, 0);

/** What the daemon does not begin, or go on with, as it says. */
export const isRefusal = (problem: unknown) => problem instanceof ApiProblem && problem.status === 409;

/** The erasure of this page; `onOver` is called when something may have been erased, while the page is there. */
export function useErasure(onOver: (number: string) => void) {
  const key = own("erase-subject");
  const [progress, setProgress] = useState<Progress | null>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const erasing = useMutation({
    mutationKey: key,
    gcTime: 0,
    mutationFn: (number: string) => erase(number, setProgress),
    onMutate: (number) => setProgress({ number, tables: [], next: null, stays: [], isClean: false }),
    // The page says how it ended; on another one a toast does.
    onSuccess: ({ number, stays }) => {
      const what = `The number that ends in ${number.slice(-4)} was erased`;
      const butFor = stays.length > 0 ? ", but for what is not over: erase it again two days later" : "";
      if (isLeft.current) toast.success(`${what}${butFor}.`);
    },
    onError: (problem, number) => {
      if (!isLeft.current) return;
      toast.error(`Erasing the number that ends in ${number.slice(-4)} failed. ${messageOf(problem)}`);
    },
  });
  return {
    progress,
    /** Also of one that was begun before the page was left. */
    isBusy: useIsMutating({ mutationKey: key }) > 0,
    isRunning: erasing.isPending,
    problem: erasing.error,
    done: erasing.data,
    begin: (number: string) =>
      erasing.mutate(number, { onSettled: (_, problem) => isRefusal(problem) || onOver(number) }),
    /** Takes away how the last one ended. */
    forget: erasing.reset,
  };
}

export type Erasure = ReturnType<typeof useErasure>;
