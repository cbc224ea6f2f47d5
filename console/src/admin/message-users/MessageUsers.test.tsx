import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import MessageUsers from "./MessageUsers";

test("messages to users are being sent or sent", async () => {
  answers("get", "/admin/get-all-active-users", { active_users: [], total: 0 });
  const row = {
    by_user_id: 1,
    created_at: "2026-11-21T08:00:00Z",
    recipients: 3,
    sms: { sent: 3 },
    chat: {},
  };
  answers("get", "/admin/user-messages", {
    user_messages: [
      { ...row, id: 1, message: "Prices change on Monday", status: "giving_out" },
      { ...row, id: 2, message: "Welcome", status: "given_out" },
    ],
    total: 2,
  });
  showAdmin(<MessageUsers />, "message-users");
  expect(await screen.findByRole("row", { name: /Prices change on Monday/ })).toHaveTextContent(/Sending$/);
  expect(screen.getByRole("row", { name: /Welcome/ })).toHaveTextContent(/Sent$/);
});
