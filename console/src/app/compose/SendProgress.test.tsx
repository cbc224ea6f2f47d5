import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { campaignOf } from "../../testing/campaign";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import type { Campaign } from "./calls";
import { SendProgress } from "./SendProgress";

const FIRST = {
  state: "failed",
  size: 50,
  delivered: 12,
  failed: 38,
  delivery: 80,
  needed: 40,
  wait_s: 600,
  until: null,
};

function progressOf(more: Partial<Campaign>) {
  const campaign = campaignOf({ queued: 950, delivered: 12, undelivered: 38 }, more);
  answers("get", "/api/campaigns/:id", { campaign });
  const confirmed = { details: campaign, campaigns: [campaign], message: "" };
  return show(<SendProgress confirmed={confirmed} onClose={() => undefined} />);
}

beforeEach(() => signedIn());

test("where the first recipients did not get it, its owner is told to decide", async () => {
  progressOf({ status: "paused", held: "canary", canary: FIRST });
  expect(
    await screen.findByRole("heading", { name: "Your campaign has stopped: you decide how it goes on" }),
  ).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent(
    /^Too few got through: .* cancel refunds what was not sent\.$/,
  );
  expect(document.body).not.toHaveTextContent(/administrator|canary/i);
});

test("another hold waits for the administrator, as ever", async () => {
  progressOf({ status: "paused", held: "admin", status_reason: "Looks like spam" });
  expect(
    await screen.findByRole("heading", { name: "Your campaign waits for the administrator" }),
  ).toBeVisible();
  expect(screen.getByText("Looks like spam")).toBeVisible();
});

test("while the rest waits the figures of the first are shown, and no more once it goes out", async () => {
  const running = { ...FIRST, state: "running", failed: 3 };
  const figures = /^First recipients: 12 of 50 delivered, 3 failed, 40 needed$/;
  const shown = progressOf({ status: "paused", canary: running });
  expect(await screen.findByRole("img", { name: figures })).toBeVisible();
  shown.unmount();
  progressOf({ status: "paused", canary: { ...running, state: "passed" } });
  expect(await screen.findByText("Paused")).toBeVisible();
  expect(screen.queryByRole("img", { name: figures })).toBeNull();
});
