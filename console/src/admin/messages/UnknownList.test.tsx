import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import UnknownList from "./UnknownList";

const message = (id: number, campaign_id: number) => ({
  id,
  campaign_id,
  to: `234803000000${id}`,
  network: "mtn",
  pages: 1,
  price: 4.5,
  currency: "naira",
  senderid: "ACME",
  status: "unknown",
  user_id: 7,
  username: "ada",
});

test("chosen unknown messages are settled in one call, after their money was named", async () => {
  const asked: unknown[] = [];
  answers("get", "/admin/unknown-messages", {
    messages: [message(1, 5), message(2, 5), message(3, 6)],
    total: 3,
  });
  answers(
    "post",
    "/admin/messages/resolve",
    { resolved: 2, message: "2 messages were settled as not sent and refunded" },
    200,
    async (request) => void asked.push(await request.json()),
  );
  const { user } = showAdmin(<UnknownList />, "unknown-messages");
  await user.click(await screen.findByRole("checkbox", { name: "Choose row 1" }));
  await user.click(screen.getByRole("checkbox", { name: "Choose row 2" }));
  await user.click(screen.getByRole("button", { name: "Settle" }));
  const dialog = await screen.findByRole("dialog", { name: "Settle 2 messages" });
  expect(within(dialog).getByRole("button", { name: "Settle" })).toBeDisabled();
  await user.click(within(dialog).getByRole("radio", { name: /They were not sent/ }));
  expect(dialog).toHaveTextContent("₦9.00 goes back to the wallet");
  await user.click(within(dialog).getByRole("button", { name: "Settle" }));
  expect(await screen.findByText("2 messages were settled as not sent and refunded")).toBeVisible();
  expect(asked).toEqual([{ outcome: "refunded", messages: [1, 2] }]);
});

test("messages of several campaigns cannot be sent again together", async () => {
  answers("get", "/admin/unknown-messages", { messages: [message(1, 5), message(3, 6)], total: 2 });
  const { user } = showAdmin(<UnknownList />, "unknown-messages");
  await user.click(await screen.findByRole("checkbox", { name: "Choose all rows of this page" }));
  await user.click(screen.getByRole("button", { name: "Settle" }));
  expect(await screen.findByRole("radio", { name: /campaign by campaign/ })).toBeDisabled();
});
