import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import WebhookPage from "./WebhookPage";

test("an administrator reads a customer's log and has one delivery made again", async () => {
  const at = "2026-11-21T08:00:00Z";
  answers("get", "/api/webhooks/3", {
    id: 3,
    user_id: 7,
    username: "ada",
    url: "https://example.com/talkdrum",
    description: "",
    events: ["campaign.completed"],
    is_active: true,
    pending: 0,
    created_at: at,
    updated_at: at,
  });
  const delivery = {
    id: 9,
    event_id: "evt_9",
    type: "campaign.completed",
    status: "failed",
    attempts: 8,
    answer: 500,
    note: "boom",
    created_at: at,
    tried_at: at,
  };
  answers("get", "/api/webhooks/3/deliveries", { deliveries: [delivery], total: 1 });
  answers("post", "/api/webhooks/3/deliveries/9/redeliver", {
    message: "It is delivered again",
    redelivered: 1,
  });
  const page = (
    <Routes>
      <Route path="/dashboard/admin/webhooks/:id" element={<WebhookPage />} />
    </Routes>
  );
  const { user } = showAdmin(page, "webhooks", "/3");
  const row = await screen.findByRole("row", { name: /campaign\.completed/ });
  expect(row).toHaveTextContent("8 attempts");
  expect(row).toHaveTextContent("boom");
  await user.click(within(row).getByRole("button", { name: /^Deliver again/ }));
  expect(await screen.findByText("It is delivered again")).toBeVisible();
});
