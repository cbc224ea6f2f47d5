// The one way to the daemon. `ask(api.GET("/api/..."))` answers the body or throws an ApiProblem; the bearer token,
// idempotency and expiry are seen to here, so that no page thinks of them.
import createClient, { type Middleware } from "openapi-fetch";
import { ApiProblem, problemOf, unreachable } from "./problem";
import type { paths } from "./schema";
import { type Ended, session } from "./session";

const CHANGES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Told of every 503: maintenance may have begun since it was last asked for. */
export const unavailable = new Set<() => void>();

/** Where a request's bearer token is remembered until its answer: a session begun meanwhile is not ended by it. */
const sentTokens = new WeakMap<Request, string>();

type Reauthenticate = () => Promise<boolean>;
/** Asks the person for the password; answers whether the daemon took it. There is one on pages of the account. */
let reauthenticate: Reauthenticate | null = null;
/** What such a page sends, to be sent once more after the password was given. */
const repeatable = new WeakMap<Request, Request>();

/** Sets who asks for the password on this page, until the returned function is called. */
export function reauthenticateBy(next: Reauthenticate): () => void {
  reauthenticate = next;
  return () => {
    if (reauthenticate === next) reauthenticate = null;
  };
}

const requestHeaders: Middleware = {
  onRequest({ request }) {
    const token = session.get()?.token;
    if (token && !request.headers.has("Authorization")) {
      request.headers.set("Authorization", `Bearer ${token}`);
      sentTokens.set(request, token);
    }
    if (CHANGES.has(request.method) && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", freshKey());
    }
    if (reauthenticate && CHANGES.has(request.method)) repeatable.set(request, request.clone());
    return request;
  },
};

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  // Looked up at each call, as tests put another one in its place.
  fetch: (request) => globalThis.fetch(request).catch(() => Promise.reject(unreachable())),
});
api.use(requestHeaders, {
  async onResponse({ request, response }) {
    if (response.ok) return;
    if (response.status === 503) for (const hear of unavailable) hear();
    const why = await endOf(response);
    if (why && sentTokens.get(request) === session.get()?.token) session.end(why);
    const again = repeatable.get(request);
    if (
      again &&
      response.status === 403 &&
      (await problemIn(response)).code === "reauthentication_required"
    ) {
      if (await reauthenticate?.()) return globalThis.fetch(again).catch(() => Promise.reject(unreachable()));
    }
  },
});

/** The specification: 401 `Unauthorized` ends the session, and so does an expired token, as 401 or as 500. */
async function endOf(response: Response): Promise<Ended | null> {
  if (response.status !== 401 && response.status !== 500) return null;
  const problem = await problemIn(response);
  const expired = problem.code === "token_expired" || problem.error === "Token error: Token has expired";
  if (expired) return "expired";
  return response.status === 401 ? "unauthorized" : null;
}

/** The problem in an answer, which can be read again. */
async function problemIn(response: Response): Promise<ApiProblem> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return problemOf(response.status, body);
}

interface ClientResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer; anything but a success is thrown as an ApiProblem. */
export async function ask<T>(call: Promise<ClientResponse<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(response.status, error);
  return data as T;
}

/** A file that the daemon makes, such as an export. */
export async function download(call: Promise<ClientResponse<Blob>>, name: string): Promise<void> {
  saveFile(await ask(call), name);
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** `bodySerializer` for calls that carry files. Lists become repeated fields, absent values are left out. */
export function asForm(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      if (item instanceof File) form.append(name, item, item.name);
      else if (item instanceof Blob) form.append(name, item);
      else form.append(name, String(item));
    }
  }
  return form;
}

/** A key under which a change is made once. A page that tries again after a silence passes the same one. */
export function freshKey(): string {
  // Not randomUUID, which browsers keep to https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export { ApiProblem };
