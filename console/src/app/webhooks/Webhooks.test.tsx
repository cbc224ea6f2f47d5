import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import { WebhookDialog } from "./WebhookDialog";
import Webhooks from "./Webhooks";

const HOOK = {
  id: 5,
  user_id: 7,
  username: "ada",
  url: "https://example.com/hook",
  description: "",
  events: ["campaign.completed"],
  is_active: true,
  pending: 0,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

test("a webhook is added once the password is given again", async () => {
  signedIn();
  answers("get", "/api/webhooks", { webhooks: [], total: 0 });
  const stale = problem(403, "reauthentication_required", "Enter your password again to do this");
  answers("post", "/api/webhooks", stale, 403);
  const { user } = show(<Webhooks />);
  await user.click((await screen.findAllByRole("button", { name: "New webhook" }))[0] as HTMLElement);
  await user.type(screen.getByLabelText("URL"), "https://example.com/hook");
  await user.click(screen.getByRole("button", { name: "Add webhook" }));
  expect(await screen.findByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();

  answers("post", "/api/sessions/reauthenticate", { message: "Your password is confirmed" });
  answers("post", "/api/webhooks", { webhook: HOOK, secret: "whsec_x", message: "Keep it" }, 201);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("whsec_x")).toBeVisible();
}, 20_000);

test("an edit sends the events only where they were changed", async () => {
  signedIn();
  let sent: Promise<unknown> | undefined;
  answers("put", "/api/webhooks/5", { webhook: HOOK, message: "Changed" }, 200, (request) => {
    sent = request.clone().json();
  });
  const { user } = show(<WebhookDialog webhook={HOOK} onClose={() => {}} />);
  await user.type(screen.getByLabelText("Description"), "Shop");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toBeDefined());
  expect(await sent).toEqual({ url: HOOK.url, description: "Shop" });
  await user.click(screen.getAllByRole("checkbox", { checked: false })[0] as HTMLElement);
  sent = undefined;
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toBeDefined());
  expect(await sent).toMatchObject({ events: expect.arrayContaining(["campaign.completed"]) });
}, 20_000);
