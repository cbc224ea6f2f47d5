import { ADMIN } from "./daemon";
import { expect, expectAccessible, shoot, signIn, test } from "./harness";

test("an administrator writes, hides, edits and deletes an announcement", async ({ page, daemon }) => {
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/announcement");
  await expect(page.getByText("No announcements yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New announcement" }).click();
  await page.getByRole("button", { name: "Create announcement" }).click();
  await expect(page.getByText("Please enter a message")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Announcement" }).fill("MTN is slow this morning");
  await shoot(page, "admin-announcement-create");
  await page.getByRole("button", { name: "Create announcement" }).click();
  await expect(page.getByText("Announcement created successfully")).toBeVisible();
  const row = page.getByRole("row", { name: /MTN is slow/ });
  await row.getByRole("button", { name: /^Deactivate/ }).click();
  await expect(row.getByText("Inactive")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-announcements");
  await row.getByRole("link", { name: /^Edit/ }).click();
  await expect(page).toHaveURL(/announcement\/1$/);
  const text = page.getByRole("textbox", { name: "Announcement" });
  await expect(text).toHaveValue("MTN is slow this morning");
  await text.fill("MTN is back");
  await page.getByRole("button", { name: "Save announcement" }).click();
  await expect(page.getByRole("row", { name: /MTN is back/ })).toBeVisible();
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("dialog")).toContainText("gone for good");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No announcements yet")).toBeVisible();
});

test("an unknown address of the administration is not found, and logging out leads to the first page", async ({
  page,
  daemon,
}) => {
  await signIn(
    page,
    daemon,
    (await daemon.call<{ token: string }>("POST", "/admin/admin-login", "", ADMIN)).token,
  );
  for (const path of ["unheard-of", "announcement/3/unheard-of", "login"]) {
    await page.goto(`/dashboard/admin/${path}`);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Open the menu" }).click();
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
});
