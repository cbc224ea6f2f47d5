import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../testing/render";
import { toast } from "./toasts";

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

test("a failure goes when the form is sent anew, and what fails again is said again", async () => {
  const { user } = show(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (left > 0) toast.error("Message is required");
        left -= 1;
      }}
    >
      <button type="submit">Send</button>
    </form>,
  );
  let left = 2;
  const send = () => user.click(screen.getByRole("button", { name: "Send" }));
  await send();
  const first = await screen.findByText("Message is required");
  await send();
  await waitFor(() => expect(first).not.toBeInTheDocument());
  expect(screen.getByText("Message is required")).toBeVisible();
  await send();
  await waitFor(() => expect(screen.queryByText("Message is required")).toBeNull(), { timeout: 3_000 });
});

test("what is in sight is not said twice", async () => {
  show(<p>the page</p>);
  toast.error("Message is required");
  toast.error("Message is required");
  expect(await screen.findAllByText("Message is required")).toHaveLength(1);
});
