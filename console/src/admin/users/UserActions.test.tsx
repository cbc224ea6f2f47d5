import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import type { UserDetails } from "./details";
import { DeleteUser } from "./UserActions";

test("a balance of less than a hundredth is named before a user is deleted", async () => {
  const details = {
    user: { id: 7, username: "ada", status: "active", espee_balance: 0.004, paystack_balance: 0 },
    totals: { reserved_naira: 4.505, reserved_espees: 0.015 },
  } as unknown as UserDetails;
  const { user } = showAdmin(<DeleteUser details={details} />, "manage-users/user/7");
  await user.click(await screen.findByRole("button", { name: "Delete User" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("0.004 ESPEES of ada can never be spent");
  expect(dialog).not.toHaveTextContent("₦0.00 of");
  expect(dialog).toHaveTextContent("₦4.505 and 0.015 ESPEES reserved");
});
