// Signing in by KingsChat: a popup of theirs, and what comes back. Two flows: the older, where the popup hands over an
// access token by a window message, and the newer, where KingsChat tells our daemon and we ask it.
//
// The access token serves once, for the profile, and is kept nowhere: the session that follows is the platform's own. So no
// page refreshes KingsChat's tokens; the call for it is the daemon's (`KingsChat::refresh`).
//
// A message counts only if it comes from the very window we opened, and then only from an allowed
// origin; messages from any other window are ignored.
import { api, ask } from "./client";
import type { components } from "./schema";

export type ChatOptions = components["schemas"]["ChatOptions"];
export type ChatSignedIn = components["schemas"]["ChatSignedIn"];

/** The specification's texts. */
export const CHAT = {
  blocked: "You have to enable popups to show login window",
  badOrigin: "Not allowed message origin",
  badRequest: "Bad Request",
  closed: "User closed window before allowing access",
  noWindow: "No window defined",
  noToken: "Token not found in authentication response.",
  failed: "Login failed. Please try again.",
} as const;

export class ChatError extends Error {
  override name = "ChatError";
}

const ENVIRONMENTS = ["dev", "staging", "prod"];

/** Refuses what the platform has set up wrongly, in the specification's words. */
export function checkOptions(options: {
  environment?: unknown;
  scopes?: unknown;
  client_id?: unknown;
}): void {
  const { environment, scopes, client_id } = options;
  if (environment !== undefined) {
    expectType("environment", environment, "string");
    if (!ENVIRONMENTS.includes(String(environment))) throw new ChatError("environment is invalid");
  }
  expectType("scopes", scopes, "Array");
  expectType("clientId", client_id, "string");
}

function expectType(name: string, value: unknown, type: "string" | "Array"): void {
  if (value === undefined || value === null) throw new ChatError(`${name} is not defined!`);
  const fits = type === "Array" ? Array.isArray(value) : typeof value === "string";
  if (!fits) throw new ChatError(`${name} is type of ${typeof value} instead of ${type}`);
}

const CLOSURE_POLL_MS = 350;
const FINISH_POLL_MS = 2000;

/** 90 % of the window, at most 950 by 600; in the middle, at an eighth of the height that is left. */
export function placeOf(at: { screenX: number; screenY: number; outerWidth: number; outerHeight: number }) {
  const width = Math.min(Math.floor(at.outerWidth * 0.9), 950);
  const height = Math.min(Math.floor(at.outerHeight * 0.9), 600);
  const left = Math.floor(at.screenX + (at.outerWidth - width) / 2);
  const top = Math.floor(at.screenY + (at.outerHeight - height) / 8);
  return { width, height, left, top };
}

/** Must be called in the click itself, or the browser refuses. */
export function openPopup(url: string): Window {
  if (typeof window === "undefined") throw new ChatError(CHAT.noWindow);
  const { width, height, left, top } = placeOf(window);
  const features = `width=${width},height=${height},left=${left},top=${top},resizable,scrollbars`;
  const popup = window.open(url, "kingschat", features);
  if (!popup) throw new ChatError(CHAT.blocked);
  return popup;
}

/** The older flow's page. Scopes are written as KingsChat wants them: `["a", "b"]`. */
export function popupUrl(options: ChatOptions, redirect: string): string {
  const url = new URL(options.accounts_url);
  url.searchParams.set("client_id", options.client_id);
  url.searchParams.set("scopes", `[${options.scopes.map((scope) => `"${scope}"`).join(", ")}]`);
  url.searchParams.set("redirect_uri", redirect);
  url.searchParams.set("post_message", "1");
  return url.toString();
}

/** Waits for the popup's message: the access token. */
export function tokenFrom(popup: Window, allowed: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const finish = (act: () => void) => {
      window.removeEventListener("message", hear);
      window.clearInterval(watch);
      popup.close();
      act();
    };
    const hear = (event: MessageEvent<unknown>) => {
      if (event.source !== popup) return;
      finish(() => {
        if (!allowed.includes(event.origin)) return failed(new ChatError(CHAT.badOrigin));
        const data = event.data as { error?: unknown; accessToken?: unknown } | null | undefined | "";
        if (!data) return failed(new ChatError(CHAT.badRequest));
        if (data.error) return failed(new ChatError(String(data.error)));
        if (typeof data.accessToken !== "string" || data.accessToken === "") {
          return failed(new ChatError(CHAT.noToken));
        }
        done(data.accessToken);
      });
    };
    const watch = window.setInterval(() => {
      if (popup.closed) finish(() => failed(new ChatError(CHAT.closed)));
    }, CLOSURE_POLL_MS);
    window.addEventListener("message", hear);
  });
}

/** Signs in by whichever flow the platform has set up. Call it in the click. */
export async function signInByKingsChat(options: ChatOptions): Promise<ChatSignedIn> {
  checkOptions(options);
  if (options.code_flow) return byCode(openPopup("about:blank"));
  const popup = openPopup(popupUrl(options, window.location.origin));
  const access_token = await tokenFrom(popup, options.allowed_origins);
  return ask(api.POST("/api/kingschat-login", { body: { access_token } }));
}

/** Links KingsChat to the signed-in user by the same two flows; returns the message to show. Call it in the click. */
export async function linkKingsChat(options: ChatOptions): Promise<string> {
  checkOptions(options);
  if (options.code_flow) {
    const begin = () => ask(api.POST("/api/kingschat/link/start"));
    return untilAnswered(openPopup("about:blank"), begin, (answer) =>
      "status" in answer && answer.status === "linked" ? answer.message : null,
    );
  }
  const popup = openPopup(popupUrl(options, window.location.origin));
  const access_token = await tokenFrom(popup, options.allowed_origins);
  return (await ask(api.POST("/api/kingschat/link", { body: { access_token } }))).message;
}

function byCode(popup: Window): Promise<ChatSignedIn> {
  const begin = () => ask(api.POST("/api/kingschat/start"));
  return untilAnswered(popup, begin, (answer) => ("access_token" in answer ? answer : null));
}

type Finished = ChatSignedIn | components["schemas"]["ChatProgress"];

/** Sends the window to KingsChat and asks our daemon until what is waited for has come. */
async function untilAnswered<T>(
  popup: Window,
  begin: () => Promise<components["schemas"]["ChatStarted"]>,
  found: (answer: Finished) => T | null,
): Promise<T> {
  try {
    const { url, state, expires_at } = await begin();
    popup.location.href = url;
    const ends = Date.parse(expires_at);
    for (;;) {
      const closed = await waitOrClosed(popup, FINISH_POLL_MS);
      // Asked once more after the window was closed: it may have been closed because all was done.
      const answer = found(await ask(api.POST("/api/kingschat/finish", { body: { state } })));
      if (answer !== null) return answer;
      if (closed) throw new ChatError(CHAT.closed);
      if (Date.now() > ends) throw new ChatError(CHAT.failed);
    }
  } finally {
    popup.close();
  }
}

/** Waits, or until the window is closed: then true. */
function waitOrClosed(popup: Window, ms: number): Promise<boolean> {
  return new Promise((done) => {
    const end = Date.now() + ms;
    const watch = window.setInterval(() => {
      if (!popup.closed && Date.now() < end) return;
      window.clearInterval(watch);
      done(popup.closed);
    }, CLOSURE_POLL_MS);
  });
}
