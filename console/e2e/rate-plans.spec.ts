import type { Page } from "@playwright/test";
import { expect, expectAccessible, shoot, signIn, signInAs, test } from "./harness";

const unsaved = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

test("an administrator makes a plan and gives it to a user, whose quotes have its prices", async ({
  page,
  browser,
  daemon,
}) => {
  const admin = await daemon.admin();
  await daemon.setPrices(4.5, 0.01);
  await daemon.call("PUT", "/admin/rates", admin, { rates: [{ prefix: "44", naira: 60 }] });
  const ada = await daemon.customer({ naira: 1_000 });
  await signIn(page, daemon, admin);
  await page.goto("/dashboard/admin/rates");
  await page.getByRole("button", { name: "New plan" }).click();
  const dialog = page.getByRole("dialog", { name: "New rate plan" });
  await dialog.getByLabel("Name").fill("gold");
  await expect(dialog.getByLabel("Start from")).toHaveValue("");
  await expectAccessible(page);
  await shoot(page, "admin-plan-new", false);
  await dialog.getByRole("button", { name: "Add plan" }).click();
  const table = page.getByRole("table", { name: "Rates of the plan gold" });
  await page.getByRole("button", { name: "Edit the rate of +44" }).click();
  const rate = page.getByRole("dialog", { name: "Rate of +44" });
  await rate.getByLabel("A page in Naira").fill("50");
  await rate.getByRole("button", { name: "Change" }).click();
  await expect(table.getByRole("row", { name: /\+44/ })).toContainText("₦50.00000");
  await expect(unsaved(page)).toContainText("1 price is new. In the plan gold.");
  await page.getByRole("button", { name: "Save rates" }).click();
  await expect(page.getByRole("dialog", { name: "Change the rates?" })).toContainText(
    "The plan gold is new.",
  );
  await expectAccessible(page);
  await shoot(page, "admin-plan-ask", false);
  await page.getByRole("button", { name: "Change the rates" }).click();
  await expect(unsaved(page)).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Plan gold: \+44, Naira/ })).toContainText("₦50.00000");
  await expectAccessible(page);
  await shoot(page, "admin-plan");

  await page.goto(`/dashboard/admin/manage-users/user/${ada.id}`);
  const plan = page.getByRole("region", { name: "Rate plan" });
  await expect(plan).toContainText("None: the rates for all.");
  await plan.getByRole("button", { name: "Change plan" }).click();
  const given = page.getByRole("dialog", { name: `Rate plan of ${ada.username}` });
  await given.getByLabel("Plan").selectOption("gold");
  await expectAccessible(page);
  await shoot(page, "admin-user-plan", false);
  await given.getByRole("button", { name: "Save plan" }).click();
  await expect(plan).toContainText("gold: its rates come before those for all.");
  // A plan that users have is not removed.
  await plan.getByRole("link", { name: "gold" }).click();
  await expect(page.getByLabel("List", { exact: true })).toHaveValue("gold");
  await expect(page.getByRole("button", { name: "Remove plan" })).toBeDisabled();

  // The customer is told and quoted the plan's price; a visitor is told that for all.
  const theirs = await browser.newPage();
  await theirs.goto(`${daemon.url}/`);
  const prices = theirs.getByRole("region", { name: "What it costs" });
  await expect(prices.getByRole("row", { name: /^\+44 / })).toContainText("₦60.00000");
  await signInAs(theirs, daemon, ada);
  await theirs.goto(`${daemon.url}/dashboard/pricing`);
  const list = theirs.getByRole("table", { name: "Price of a page by destination" });
  await expect(list.getByRole("row", { name: /\+44/ })).toContainText("₦50.00000");
  await theirs.goto(`${daemon.url}/dashboard/compose-sms`);
  await theirs.getByLabel("Recipients", { exact: true }).fill("+447911123456");
  await theirs.getByRole("textbox", { name: "Message" }).fill("Practice is at five");
  await theirs.getByRole("radio", { name: /Naira balance/ }).check();
  await theirs.getByRole("button", { name: "Send message" }).click();
  const asked = theirs.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(asked).toContainText("Total charge (Naira)₦50.00000");
  await theirs.close();
});
