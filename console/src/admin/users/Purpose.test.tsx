import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem } from "../../testing/server";
import { UserPurpose } from "./Purpose";

const open = async (user: ReturnType<typeof showAdmin>["user"]) => {
  await user.click(screen.getByRole("button", { name: "Change purpose" }));
  return within(await screen.findByRole("dialog", { name: "Default purpose of ada" }));
};

test("a user is given a default purpose", async () => {
  const sent: unknown[] = [];
  answers("put", "/admin/users/7/purpose", { user_id: 7, purpose: "promotional" }, 200, async (request) => {
    sent.push(await request.json());
  });
  const { user } = showAdmin(<UserPurpose id={7} name="ada" purpose={null} />, "user-details");
  expect(screen.getByText(/^None: messages that do not say/)).toBeVisible();
  const dialog = await open(user);
  await user.selectOptions(dialog.getByLabelText("Messages are for"), "Advertising");
  await user.click(dialog.getByRole("button", { name: "Save purpose" }));
  expect(await screen.findByText("Messages of ada are for: Advertising")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toEqual([{ purpose: "promotional" }]);
});

test("it is taken by an empty one; one that is not changed sends nothing", async () => {
  const sent: unknown[] = [];
  answers("put", "/admin/users/7/purpose", { user_id: 7, purpose: null }, 200, async (request) => {
    sent.push(await request.json());
  });
  const { user } = showAdmin(<UserPurpose id={7} name="ada" purpose="otp" />, "user-details");
  expect(screen.getByText(/^Codes, where a message/)).toBeVisible();
  const unchanged = await open(user);
  await user.click(unchanged.getByRole("button", { name: "Save purpose" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const dialog = await open(user);
  await user.selectOptions(dialog.getByLabelText("Messages are for"), "None: alerts and receipts");
  await user.click(dialog.getByRole("button", { name: "Save purpose" }));
  expect(await screen.findByText("ada has no default purpose")).toBeVisible();
  expect(sent).toEqual([{ purpose: "" }]);
});

test("a refusal is said in the dialog", async () => {
  answers("put", "/admin/users/7/purpose", problem(404, "not_found", "There is no such user"), 404);
  const { user } = showAdmin(<UserPurpose id={7} name="ada" purpose={null} />, "user-details");
  const dialog = await open(user);
  await user.selectOptions(dialog.getByLabelText("Messages are for"), "Codes");
  await user.click(dialog.getByRole("button", { name: "Save purpose" }));
  expect(await dialog.findByText("There is no such user")).toBeVisible();
});
