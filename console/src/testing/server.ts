// The daemon of unit tests. `answers` is typed by path only: what a test answers should be what the daemon would.
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import type { Problem } from "../api/problem";
import type { paths } from "../api/schema";

export const server = setupServer();

type Method = "get" | "post" | "put" | "delete";

/** `answers("get", "/api/user-profile", {...})`; path parameters are written as msw has them: `/api/x/:id`. */
export function answers(
  method: Method,
  path: keyof paths | (string & {}),
  body: object,
  status = 200,
  seen?: (request: Request) => void | Promise<void>,
): void {
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      await seen?.(request);
      return HttpResponse.json(body as Record<string, unknown>, { status });
    }),
  );
}

export function problem(status: number, code: string, message: string, more: Partial<Problem> = {}): Problem {
  return {
    type: `/problems/${code}`,
    title: "",
    status,
    detail: message,
    code,
    message,
    request_id: "test",
    ...more,
  };
}
