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
