// The idempotency key of a request that costs something.
import { useRef } from "react";
import { freshKey } from "./client";
import { ApiProblem } from "./problem";

/** What a proxy says where it heard nothing of the daemon, and what the daemon says where it does not know the end. */
const UNHEARD = new Set(["http_502", "http_503", "http_504", "timeout"]);

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
      const isAnswer = problem instanceof ApiProblem && problem.status !== 0 && !UNHEARD.has(problem.code);
      if (problem === undefined || isAnswer) open.current = null;
    },
  };
}
