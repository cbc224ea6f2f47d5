import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { session } from "../../api/session";
import { composing, type DraftDaemon } from "../../testing/drafts";
import { show, signedIn } from "../../testing/render";
import { server } from "../../testing/server";
import { EMPTY, stored } from "./draft";
import ComposePage from "./Page";

let daemon: DraftDaemon;

beforeEach(() => {
  daemon = composing();
});

const message = () => screen.getByRole("textbox", { name: "Message" });
const messages = () =>
  [...daemon.drafts.values()].map((it) => (JSON.parse(it.fields) as { message: string }).message).sort();

/** A draft that is saved here, then a session that ended by itself. */
async function outlives() {
  const { user, unmount } = show(<ComposePage />);
  await user.click(message());
  await user.paste("Half a thought");
  expect(await screen.findByText("Saved")).toBeVisible();
  unmount();
  session.end("expired");
  signedIn();
}

/** The page whose text from before the session ended is saved. */
async function returned() {
  await outlives();
  const page = show(<ComposePage />);
  expect(await screen.findByText("This is what you wrote before your session ended.")).toBeVisible();
  expect(await screen.findByText("Saved")).toBeVisible();
  return page;
}

/** Another device saves over it. */
function changeElsewhere() {
  const draft = daemon.drafts.get(1);
  if (!draft) throw new Error("there is no draft");
  draft.version += 1;
  draft.fields = stored.textOf({ ...EMPTY, message: "From the phone" }, []);
}

/** Begins with nothing and writes, and what another device wrote stays as it is. */
async function startOver({ user }: ReturnType<typeof show>) {
  await user.click(screen.getByRole("button", { name: "Start over" }));
  await waitFor(() => expect(message()).toHaveValue(""));
  expect(screen.queryByText(/changed elsewhere/)).toBeNull();
  // The other device's is no choice any more, but offered as any draft is.
  const offered = await screen.findByRole("list", { name: "Drafts" });
  expect(within(offered).getAllByRole("listitem")).toHaveLength(1);
  await user.click(message());
  await user.paste("Anew");
  await waitFor(() => expect(messages()).toEqual(["Anew", "From the phone"]), { timeout: 5_000 });
  expect(await screen.findByText("Saved")).toBeVisible();
  await user.click(message());
  await user.keyboard("{End}!");
  await waitFor(() => expect(messages()).toEqual(["Anew!", "From the phone"]), { timeout: 5_000 });
}

test("what is written after starting over is saved, where a change of another device was found by saving", async () => {
  const page = await returned();
  changeElsewhere();
  await page.user.click(message());
  await page.user.keyboard("{End}?");
  expect(await screen.findByText(/This draft was changed elsewhere/)).toBeVisible();
  await startOver(page);
});

test("what is written after starting over is saved, where a change of another device was found at the beginning", async () => {
  await outlives();
  changeElsewhere();
  stored.save({ ...EMPTY, message: "Written at the last moment" });
  const page = show(<ComposePage />);
  expect(await screen.findByText(/This draft was changed elsewhere/)).toBeVisible();
  await startOver(page);
});

/** Holds the requests of one kind back until it is called. */
function holdsBack(method: "get" | "put") {
  let go: () => void = () => undefined;
  const gone = new Promise<void>((done) => {
    go = done;
  });
  const asked = vi.fn();
  server.use(
    http[method]("*/api/drafts/:id", async ({ request }) => {
      asked(await request.clone().text());
      return gone;
    }),
  );
  return { asked, go };
}

test("a change of another device that is found after starting over is no choice any more", async () => {
  const page = await returned();
  changeElsewhere();
  const { asked, go } = holdsBack("get");
  await page.user.click(message());
  await page.user.keyboard("{End}?");
  await waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 5_000 });
  window.setTimeout(go, 300);
  await startOver(page);
});

test("what is written while the last change of the form before is on its way is not saved as that one's, nor deleted with it", async () => {
  const page = await returned();
  const { asked, go } = holdsBack("put");
  await page.user.click(message());
  await page.user.keyboard("{End}?");
  await waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 5_000 });
  await page.user.click(screen.getByRole("button", { name: "Start over" }));
  await waitFor(() => expect(message()).toHaveValue(""));
  await page.user.click(message());
  await page.user.paste("Anew");
  go();
  await waitFor(() => expect(messages()).toEqual(["Anew"]), { timeout: 5_000 });
  expect([...daemon.drafts.keys()]).not.toContain(1);
  expect(asked.mock.calls.join()).not.toContain("Anew");
  expect(await screen.findByText("Saved")).toBeVisible();
  await page.user.keyboard("!");
  await waitFor(() => expect(messages()).toEqual(["Anew!"]), { timeout: 5_000 });
});
