import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import Inbound from "./Inbound";

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

test("a customer sees how much of a long reply never came, and of a whole one nothing of the kind", async () => {
  signedIn();
  const whole = { ...message, id: 2, text: "When do you open?", parts_missing: 0 };
  answers("get", "/api/inbound-messages", { messages: [message, whole], total: 2 });
  show(<Inbound />, { at: "/dashboard/inbound-messages" });
  expect(await screen.findByText(/\[…\] and tomorrow/)).toHaveTextContent("1 of 3 parts never came");
  expect(screen.getAllByText(/never came/)).toHaveLength(1);
});
