// The idempotency key of a request that costs something.
import { useRef } from "react";
import { freshKey } from "./client";
import { ApiProblem } from "./problem";

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
      if (problem === undefined || (problem instanceof ApiProblem && problem.status !== 0))
        open.current = null;
    },
  };
}
