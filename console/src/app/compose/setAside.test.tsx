import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { composing, type DraftDaemon } from "../../testing/drafts";
import { show } from "../../testing/render";
import { server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

let daemon: DraftDaemon;

beforeEach(() => {
  daemon = composing();
});

const at = () => show(<ComposePage />, { at: "/dashboard/compose-sms?audience=import%3A9" });
const message = () => screen.getByRole("textbox", { name: "Message" });
const write = () => stored.save({ ...EMPTY, message: "Half a thought" });
const begin = () => screen.findByRole("button", { name: "Begin a new one" });

/** Begun before, without an answer; and another device went on with it. */
function changeElsewhere() {
  write();
  const text = stored.textOf({ ...EMPTY, message: "Half" }, []);
  stored.keepBegun({ key: "mine", title: "Half", text });
  daemon.drafts.set(7, {
    id: 7,
    version: 2,
    key: "mine",
    form: "sms",
    title: "From the phone",
    fields: JSON.stringify({ ...EMPTY, message: "From the phone" }),
    files: [],
  });
}

test("what another device went on with is not begun over: it stays here, and is told", async () => {
  changeElsewhere();
  // The page saves by itself a second later, and would find out first on a machine that is slow.
  let click: () => void = () => undefined;
  const clicked = new Promise<void>((done) => {
    click = done;
  });
  server.use(http.post("*/api/drafts", () => clicked, { once: true }));
  const { user } = at();
  await user.click(await begin());
  click();
  expect(await screen.findByText(/choose first which of the two is kept/)).toBeVisible();
  expect(message()).toHaveValue("Half a thought");
  expect(screen.queryByRole("list", { name: "Earlier lists" })).toBeNull();
  expect(stored.kept()?.id).toBe(7);
  // Not even by what the page saves by itself, which was on its way.
  await new Promise((later) => setTimeout(later, 1_500));
  expect(daemon.drafts.get(7)?.title).toBe("From the phone");
});

test("where the page finds out by itself nothing is begun until one of the two is chosen", async () => {
  changeElsewhere();
  const { user } = at();
  await begin();
  expect(await screen.findByText(/This draft was changed elsewhere/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Begin a new one" })).toBeNull();
  expect(message()).toHaveValue("Half a thought");
  await user.click(screen.getByRole("button", { name: "Keep this one" }));
  await user.click(await begin());
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(daemon.drafts.get(7)?.fields).toContain("Half a thought");
});

test("what was sent elsewhere is no draft again when another message is begun", async () => {
  write();
  const begun: string[] = [];
  server.use(
    http.post("*/api/drafts", async ({ request }) => {
      begun.push(((await request.json()) as { title: string }).title);
      return HttpResponse.error();
    }),
  );
  const kept = { id: 3, key: "sent", created_at: "2026-11-21T10:00:00Z", version: 1, files: 0 };
  stored.keep({ ...kept, text: stored.textOf({ ...EMPTY, message: "Half a thought" }, []) });
  const { user } = at();
  await user.click(await begin());
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(await screen.findByRole("list", { name: "Earlier lists" })).toBeVisible();
  expect(begun).not.toContain("Half a thought");
});
