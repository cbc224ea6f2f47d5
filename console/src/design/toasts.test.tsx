import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { toast, useToasts } from "./toasts";

test("a toast stays for five seconds, and then goes by itself", async () => {
  show(<p>the page</p>);
  const begun = performance.now();
  toast.success("Group Created");
  expect(await screen.findByText("Group Created")).toBeVisible();
  await waitFor(() => expect(screen.queryByText("Group Created")).toBeNull(), { timeout: 20_000 });
  expect(performance.now() - begun).toBeGreaterThan(4_900);
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

test("a failure goes when the form is sent anew, and what fails again is said again", async () => {
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

test("what another form failed with stays, and what both said stays until both are sent anew", async () => {
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
  await new Promise((later) => setTimeout(later, 500));
  expect(shared).toBeVisible();
  await press("Other");
  await waitFor(() => expect(shared).not.toBeInTheDocument(), { timeout: 2_000 });
});

test("what is said again while it is in sight stays as long as one that is new", async () => {
  show(<p>the page</p>);
  toast.error("Message is required");
  const first = await screen.findByText("Message is required");
  await new Promise((later) => setTimeout(later, 3_000));
  toast.error("Message is required");
  // As it was said just now, the page that is opened does not take it away.
  toast.turnPage();
  const again = performance.now();
  await new Promise((later) => setTimeout(later, 3_500));
  expect(first).toBeVisible();
  await waitFor(() => expect(first).not.toBeInTheDocument(), { timeout: 20_000 });
  expect(performance.now() - again).toBeGreaterThan(4_900);
});

test("what is said stays while another window is looked at", async () => {
  show(<p>the page</p>);
  toast.info("Group Created");
  const said = await screen.findByText("Group Created");
  // Once it has come up.
  await new Promise((later) => setTimeout(later, 500));
  window.dispatchEvent(new Event("blur"));
  await new Promise((later) => setTimeout(later, 5_500));
  expect(said).toBeVisible();
  window.dispatchEvent(new Event("focus"));
  await waitFor(() => expect(said).not.toBeInTheDocument(), { timeout: 20_000 });
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
  await new Promise((later) => setTimeout(later, 6_500));
  expect(said).toBeVisible();
  window.dispatchEvent(new Event("focus"));
  await new Promise((later) => setTimeout(later, 3_500));
  expect(said).toBeVisible();
  await waitFor(() => expect(said).not.toBeInTheDocument(), { timeout: 20_000 });
});

test("what is pointed at stays, though it is said again and this window is looked at again", async () => {
  const { user } = show(<p>the page</p>);
  toast.info("Group Created");
  const said = await screen.findByText("Group Created");
  await new Promise((later) => setTimeout(later, 500));
  await user.hover(said);
  toast.info("Group Created");
  window.dispatchEvent(new Event("blur"));
  window.dispatchEvent(new Event("focus"));
  await new Promise((later) => setTimeout(later, 6_500));
  expect(said).toBeVisible();
  await user.unhover(said);
  await waitFor(() => expect(said).not.toBeInTheDocument(), { timeout: 20_000 });
});
