// What went wrong, in one form: the daemon's RFC 9457 documents, and the network's silence.
import type { components } from "./schema";

export type Problem = components["schemas"]["Problem"];
export type FieldProblem = components["schemas"]["FieldProblem"];

export class ApiProblem extends Error {
  override name = "ApiProblem";

  constructor(
    /** The HTTP status; 0 where no answer came. */
    readonly status: number,
    /** Stable, snake case. */
    readonly code: string,
    message: string,
    readonly errors: FieldProblem[] = [],
    readonly requestId: string | null = null,
    /** The specification's `error` text, for an expired session. */
    readonly error: string | null = null,
  ) {
    super(message);
  }

  /** The text for one field of a form, if it is at fault. */
  field(name: string): string | undefined {
    return this.errors.find((it) => it.field === name)?.message;
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem(0, "unreachable", "Talkdrum cannot be reached. Check your connection and try again.");
}

/** Reads whatever an answer's body was into a problem. */
export function problemOf(status: number, body: unknown): ApiProblem {
  const text = (key: string): string | null => {
    const value = body && typeof body === "object" ? (body as Record<string, unknown>)[key] : undefined;
    return typeof value === "string" && value !== "" ? value : null;
  };
  const errors = body && typeof body === "object" ? (body as Partial<Problem>).errors : undefined;
  return new ApiProblem(
    status,
    text("code") ?? `http_${status}`,
    text("message") ?? text("detail") ?? fallback(status),
    Array.isArray(errors) ? errors : [],
    text("request_id"),
    text("error"),
  );
}

function fallback(status: number): string {
  if (status === 413) return "That is too large to be taken. Send less at once.";
  if (status === 429) return "That was too often. Wait a moment and try again.";
  if (status >= 500) return "Something went wrong on our side. Try again in a moment.";
  return "Something went wrong";
}

/** What to show of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof ApiProblem ? thrown.message : "Something went wrong";
}
