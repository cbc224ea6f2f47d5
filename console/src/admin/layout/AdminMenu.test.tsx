import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { showAdmin } from "../../testing/admin";
import { AdminMenu } from "./AdminMenu";

test("a group of the menu folds, and the entry of the page is scrolled into view", async () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = scrolled;
  const { user } = showAdmin(<AdminMenu onLogOut={() => {}} />, "carriers");
  expect(screen.getByRole("link", { name: "Carriers" })).toHaveAttribute("aria-current", "page");
  expect(scrolled).toHaveBeenCalledTimes(1);
  const title = screen.getByRole("button", { name: "Users" });
  expect(title).toHaveAttribute("aria-expanded", "true");
  await user.click(title);
  await waitFor(() => expect(screen.queryByRole("link", { name: "Manage Users" })).toBeNull());
  expect(screen.getByRole("link", { name: "Carriers" })).toBeVisible();
});
