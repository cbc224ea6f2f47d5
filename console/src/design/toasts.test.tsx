import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "../testing/render";
import { toast, useToasts } from "./toasts";
import { TOAST_MS } from "./tokens";

// The clock goes on by itself, too, as what waits for something counts on it.
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** It is on its way out now. */
const goes = (said: HTMLElement) => waitFor(() => expect(said).not.toBeInTheDocument(), { timeout: 2_000 });

test("a toast stays for five seconds, and then goes by itself", async () => {
  show(<p>the page</p>);
  toast.success("Group Created");
  const said = await screen.findByText("Group Created");
  await pass(4_500);
  expect(said).toBeVisible();
  await pass(1_000);
  await goes(said);
});

test("a failure goes when what failed succeeds", async () => {
  show(<p>the page</p>);
  toast.error("Message is required");
  expect(await screen.findByText("Message is required")).toBeVisible();
  const begun = performance.now();
  toast.success("SMS Sent");
  expect(await screen.findByText("SMS Sent")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("Message is required")).toBeNull());
  expect(performance.now() - begun).toBeLessThan(4_000);
});

test("two are in sight at most, at the bottom, and the oldest makes room", async () => {
  show(<p>the page</p>);
  for (const text of ["one", "two"]) {
    toast.info(text);
    expect(await screen.findByText(text)).toBeVisible();
  }
  toast.info("three");
  expect(await screen.findByText("three")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("one")).toBeNull());
  expect(screen.getByText("two")).toBeVisible();
  // jsdom lays nothing out: notistack's container says where it is.
  const { bottom, top } = getComputedStyle(document.querySelector(".toasts") as Element);
  expect([bottom, top]).toEqual([expect.stringMatching(/px$/), ""]);
});

function Trial({ name, fails }: { name: string; fails: () => string | null }) {
  const toasts = useToasts();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        toasts.begin();
        const text = fails();
        if (text) toasts.error(text);
      }}
    >
      <button type="submit">{name}</button>
    </form>
  );
}

test("a failure goes when the form is sent again, and what fails again is said again", async () => {
  let left = 2;
  const fails = () => (left-- > 0 ? "Message is required" : null);
  const { user } = show(<Trial name="Send" fails={fails} />);
  const send = () => user.click(screen.getByRole("button", { name: "Send" }));
  await send();
  const first = await screen.findByText("Message is required");
  await send();
  await waitFor(() => expect(first).not.toBeInTheDocument());
  expect(screen.getByText("Message is required")).toBeVisible();
  await send();
  await waitFor(() => expect(screen.queryByText("Message is required")).toBeNull(), { timeout: 3_000 });
});

test("what another form failed with stays, and what both said stays until both are sent again", async () => {
  const ones = ["Amount is required", "Narration is required"];
  const others = ["Narration is required"];
  const { user } = show(
    <>
      <Trial name="One" fails={() => ones.shift() ?? null} />
      <Trial name="Other" fails={() => others.shift() ?? null} />
    </>,
  );
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  await press("One");
  await press("Other");
  expect(await screen.findByText("Narration is required")).toBeVisible();
  expect(screen.getByText("Amount is required")).toBeVisible();
  // The same text once more, of the first: its other failure goes.
  await press("One");
  await waitFor(() => expect(screen.queryByText("Amount is required")).toBeNull());
  const shared = screen.getByText("Narration is required");
  await press("One");
  await pass(500);
  expect(shared).toBeVisible();
  await press("Other");
  await goes(shared);
});

test("what is said again while it is in sight stays as long as one that is new", async () => {
  show(<p>the page</p>);
  toast.error("Message is required");
  const first = await screen.findByText("Message is required");
  await pass(3_000);
  toast.error("Message is required");
  // As it was said just now, the page that is opened does not take it away.
  toast.turnPage();
  await pass(4_500);
  expect(first).toBeVisible();
  await pass(1_000);
  await goes(first);
});

test("what is said stays while another window is looked at", async () => {
  show(<p>the page</p>);
  toast.info("Group Created");
  const said = await screen.findByText("Group Created");
  // Once it has come up.
  await pass(500);
  window.dispatchEvent(new Event("blur"));
  await pass(5_500);
  expect(said).toBeVisible();
  window.dispatchEvent(new Event("focus"));
  await pass(5_500);
  await goes(said);
});

test("what is in sight is not said twice", async () => {
  show(<p>the page</p>);
  toast.error("Message is required");
  toast.error("Message is required");
  expect(await screen.findAllByText("Message is required")).toHaveLength(1);
});

test("what is said while another window is looked at stays until this one is, and for a while then", async () => {
  show(<p>the page</p>);
  window.dispatchEvent(new Event("blur"));
  toast.success("SMS Sent");
  const said = await screen.findByText("SMS Sent");
  await pass(6_500);
  expect(said).toBeVisible();
  window.dispatchEvent(new Event("focus"));
  await pass(4_500);
  expect(said).toBeVisible();
  await pass(1_000);
  await goes(said);
});

test("what is pointed at stays, though it is said again and this window is looked at again", async () => {
  const { user } = show(<p>the page</p>);
  toast.info("Group Created");
  const said = await screen.findByText("Group Created");
  await pass(500);
  await user.hover(said);
  toast.info("Group Created");
  window.dispatchEvent(new Event("blur"));
  window.dispatchEvent(new Event("focus"));
  await pass(6_500);
  expect(said).toBeVisible();
  await user.unhover(said);
  await pass(5_500);
  await goes(said);
});

test("what is tapped is not pointed at, and goes by itself", async () => {
  show(<p>the page</p>);
  toast.info("Group Created");
  const said = await screen.findByText("Group Created");
  await pass(500);
  // What a browser makes of a tap: a mouse that enters and never leaves follows the finger.
  fireEvent.pointerOver(said, { pointerType: "touch" });
  fireEvent.pointerOut(said, { pointerType: "touch" });
  fireEvent.mouseOver(said);
  fireEvent.click(said);
  await pass(5_500);
  await goes(said);
});

test("what is said while another page is in sight stays until this one is", async () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  show(<p>the page</p>);
  toast.success("SMS Sent");
  const said = await screen.findByText("SMS Sent");
  await pass(6_500);
  expect(said).toBeVisible();
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(4_500);
  expect(said).toBeVisible();
  await pass(1_000);
  await goes(said);
});

test("nothing is left to do once the room is closed", async () => {
  const begun = vi.spyOn(window, "setTimeout");
  const { unmount } = show(<p>the page</p>);
  toast.info("Group Created");
  await screen.findByText("Group Created");
  await pass(500);
  const place = begun.mock.calls.findIndex(([, ms]) => ms === TOAST_MS);
  const timer = begun.mock.results[place]?.value;
  expect(timer).toBeDefined();
  const ended = vi.spyOn(window, "clearTimeout");
  unmount();
  expect(ended).toHaveBeenCalledWith(timer);
});
