import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem } from "../../testing/server";
import { UserCodes } from "./Codes";

const answer = (allowed: boolean) => ({ user_id: 7, codes_allowed: allowed, campaigns_paused: 0 });

test.each([
  [true, "Withdraw right", "Withdraw the right to send codes from ada", "ada may not send codes"],
  [false, "Give right back", "Let ada send codes", "ada may send codes"],
])("the right to send codes (%s) is changed after asking", async (allowed, button, title, said) => {
  const sent: unknown[] = [];
  answers("put", "/admin/users/7/codes", answer(!allowed), 200, async (request) => {
    sent.push(await request.json());
  });
  const { user } = showAdmin(<UserCodes id={7} name="ada" allowed={allowed} />, "user-details");
  expect(screen.getByText(allowed ? /^May send codes/ : /^May not send codes/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog", { name: title });
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: button }));
  expect(await screen.findByText(said)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toEqual([{ allowed: !allowed }]);
});

test("a refusal is said in the dialog", async () => {
  answers("put", "/admin/users/7/codes", problem(404, "not_found", "There is no such user"), 404);
  const { user } = showAdmin(<UserCodes id={7} name="ada" allowed />, "user-details");
  await user.click(screen.getByRole("button", { name: "Withdraw right" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Withdraw right" }));
  expect(await dialog.findByText("There is no such user")).toBeVisible();
});
