import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import OwnNumberList from "./OwnNumberList";

test("an administrator withdraws a user's number after a question", async () => {
  const number = {
    id: 5,
    user_id: 7,
    username: "ada",
    phone_number: "2348031234567",
    status: "verified",
    created_at: "2026-11-21T08:00:00Z",
  };
  answers("get", "/admin/get-own-numbers", { "Own-Number": [number], total: 1 });
  let withdrawn = 0;
  const done = { message: "Number withdrawn: no more calls show it", campaigns_paused: 0 };
  answers("delete", "/admin/delete-own-number/5", done, 200, () => {
    withdrawn += 1;
  });
  const { user } = showAdmin(<OwnNumberList />, "own-numbers");
  await user.click(await screen.findByRole("button", { name: "Withdraw +2348031234567 of ada" }));
  const question = await screen.findByRole("dialog", { name: "Withdraw +2348031234567?" });
  expect(question).toHaveTextContent("campaigns that call from it pause");
  await user.click(within(question).getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText("Number withdrawn: no more calls show it")).toBeVisible();
  expect(withdrawn).toBe(1);
});
