import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import InboundList from "./InboundList";

const message = {
  id: 1,
  from: "2348031234567",
  to: "2342012345678",
  text: "Dear shop, […] and tomorrow",
  received_at: "2026-11-21T08:00:00Z",
  carrier: "main",
  user_id: 7,
  action: "none",
  parts_total: 3,
  parts_missing: 1,
};

test("an operator sees how much of a long message never came", async () => {
  answers("get", "/api/inbound-messages", { messages: [message], total: 1 });
  showAdmin(<InboundList />, "inbound-messages");
  expect(await screen.findByText("1 of 3 parts never came: nothing was done about it")).toBeVisible();
});
