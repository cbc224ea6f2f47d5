import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answers } from "../testing/server";
import {
  type ChatOptions,
  checkOptions,
  linkKingsChat,
  openPopup,
  placeOf,
  popupUrl,
  signInByKingsChat,
  tokenFrom,
} from "./kingschat";

const OPTIONS: ChatOptions = {
  enabled: true,
  environment: "prod",
  client_id: "app-1",
  accounts_url: "https://accounts.example/",
  scopes: ["profile", "send_chat_message"],
  allowed_origins: ["https://accounts.example"],
  code_flow: false,
};

let popup: { closed: boolean; close: () => void; location: { href: string } };

beforeEach(() => {
  popup = { closed: false, close: vi.fn(() => (popup.closed = true)), location: { href: "" } };
  vi.spyOn(window, "open").mockReturnValue(popup as unknown as Window);
});
afterEach(() => vi.useRealTimers());

function post(data: unknown, origin = "https://accounts.example", source: unknown = popup): void {
  const event = new MessageEvent("message", { data, origin });
  Object.defineProperty(event, "source", { value: source });
  window.dispatchEvent(event);
}

const waiting = () => tokenFrom(popup as unknown as Window, OPTIONS.allowed_origins);

test("the popup is nine tenths of the window, at most 950 by 600, in the middle and an eighth down", () => {
  const wide = { screenX: 100, screenY: 20, outerWidth: 1600, outerHeight: 1000 };
  expect(placeOf(wide)).toEqual({ width: 950, height: 600, left: 425, top: 70 });
  const small = { screenX: 0, screenY: 0, outerWidth: 400, outerHeight: 500 };
  expect(placeOf(small)).toEqual({ width: 360, height: 450, left: 20, top: 6 });
});

test("its address carries what KingsChat asks for", () => {
  const url = new URL(popupUrl(OPTIONS, "https://talk.example"));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "app-1",
    scopes: '["profile", "send_chat_message"]',
    redirect_uri: "https://talk.example",
    post_message: "1",
  });
});

test("a popup that the browser blocks is said to be blocked", () => {
  vi.mocked(window.open).mockReturnValue(null);
  expect(() => openPopup("x")).toThrow("You have to enable popups to show login window");
});

test("the token comes from the popup; strangers are not heard", async () => {
  const token = waiting();
  post({ accessToken: "stolen" }, "https://accounts.example", window);
  post({ accessToken: "stolen" }, "https://evil.example", {});
  expect(popup.close).not.toHaveBeenCalled();
  post({ accessToken: "good" });
  await expect(token).resolves.toBe("good");
  expect(popup.close).toHaveBeenCalled();
});

test.each([
  [{ accessToken: "x" }, "https://evil.example", "Not allowed message origin"],
  ["", "https://accounts.example", "Bad Request"],
  [{ error: "The user denied access" }, "https://accounts.example", "The user denied access"],
  [{}, "https://accounts.example", "Token not found in authentication response."],
])("%j from %s is refused: %s", async (data, origin, text) => {
  const token = waiting();
  post(data, origin);
  await expect(token).rejects.toThrow(text);
  expect(popup.close).toHaveBeenCalled();
});

test("closing the window is noticed within 350 ms", async () => {
  vi.useFakeTimers();
  const token = waiting();
  const refused = expect(token).rejects.toThrow("User closed window before allowing access");
  popup.closed = true;
  await vi.advanceTimersByTimeAsync(350);
  await refused;
});

test("the older flow brings the token to the daemon", async () => {
  let brought: unknown;
  answers("post", "/api/kingschat-login", { access_token: "t", token: "t" }, 200, async (request) => {
    brought = await request.json();
  });
  const session = signInByKingsChat(OPTIONS);
  post({ accessToken: "good" });
  await expect(session).resolves.toMatchObject({ token: "t" });
  expect(brought).toEqual({ access_token: "good" });
});

test("the newer flow asks the daemon, also after the window is closed", async () => {
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  answers("post", "/api/kingschat/start", { url: "https://accounts.example/log-in", state: "s", expires_at });
  answers("post", "/api/kingschat/finish", { access_token: "t", token: "t" });
  const session = signInByKingsChat({ ...OPTIONS, code_flow: true });
  await vi.waitFor(() => expect(popup.location.href).toBe("https://accounts.example/log-in"));
  popup.closed = true;
  await expect(session).resolves.toMatchObject({ token: "t" });
});

test("the newer flow ends when the window is closed before all was done", async () => {
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  answers("post", "/api/kingschat/start", { url: "https://accounts.example/log-in", state: "s", expires_at });
  answers("post", "/api/kingschat/finish", { status: "waiting", message: "" }, 202);
  const session = signInByKingsChat({ ...OPTIONS, code_flow: true });
  const refused = expect(session).rejects.toThrow("User closed window before allowing access");
  await vi.waitFor(() => expect(popup.location.href).not.toBe(""));
  popup.closed = true;
  await refused;
});

test("the newer flow links when the daemon says so, and not while it waits", async () => {
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  answers("post", "/api/kingschat/link/start", {
    url: "https://accounts.example/link",
    state: "s",
    expires_at,
  });
  answers("post", "/api/kingschat/finish", { status: "linked", message: "Your KingsChat account is linked" });
  const linked = linkKingsChat({ ...OPTIONS, code_flow: true });
  await vi.waitFor(() => expect(popup.location.href).toBe("https://accounts.example/link"));
  popup.closed = true;
  await expect(linked).resolves.toBe("Your KingsChat account is linked");
});

test("what the platform has set up wrongly is named in the specification's words", () => {
  const fine = { environment: "prod", scopes: ["profile"], client_id: "app-1" };
  expect(() => checkOptions(fine)).not.toThrow();
  for (const [wrong, text] of [
    [{ environment: "live" }, "environment is invalid"],
    [{ environment: 1 }, "environment is type of number instead of string"],
    [{ scopes: undefined }, "scopes is not defined!"],
    [{ scopes: "profile" }, "scopes is type of string instead of Array"],
    [{ client_id: undefined }, "clientId is not defined!"],
  ] as const) {
    expect(() => checkOptions({ ...fine, ...wrong })).toThrow(text);
  }
});
