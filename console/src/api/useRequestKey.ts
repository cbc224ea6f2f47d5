// The idempotency key of a request that costs something.
import { useRef } from "react";
import { freshKey } from "./client";
import { ApiProblem } from "./problem";

/** Whether it is known what became of a request: it was done, or refused. A failure of the daemon's or of a proxy's leaves
 * that open. The daemon keeps the key of what it did and of nothing else, so that asking again under it is always safe. */
const isKnown = (problem: unknown) =>
  problem === undefined ||
  (problem instanceof ApiProblem && problem.status !== 0 && problem.status !== 408 && problem.status < 500);

/** One key a request until it is answered: what met with silence and is asked again is the same request, done once. */
export function useRequestKey() {
  const open = useRef<{ request: string; key: string } | null>(null);
  return {
    /** `request` tells two requests apart. */
    keyOf(request: string): string {
      if (open.current?.request !== request) open.current = { request, key: freshKey() };
      return open.current.key;
    },
    /** Of a success without `problem`. */
    answered(problem?: unknown): void {
      if (isKnown(problem)) open.current = null;
    },
  };
}
