// Unsent text when a session ends, and dates in a browser whose language writes the month first.
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

test.use({ locale: "en-US", allowed: [/401/] });

test("what was being written when the session ended is there after signing in again, and dates are as shown", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page.getByLabel("Recipients", { exact: true }).fill("08031230001");
  await page.getByRole("textbox", { name: "Message" }).fill("Half a thought");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("switch", { name: "Send later" }).check();
  await expect(page.getByLabel("Send at")).toHaveValue(/^\d{4}-\d\d-\d\d \d\d:00$/);
  await page.getByLabel("Send at").fill("tomorrow");
  await page.getByLabel("Send at").blur();
  await expect(page.getByText("Write it as YYYY-MM-DD HH:mm")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page.getByText("'tomorrow' is no time").first()).toBeVisible();
  const year = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Send at").fill(`${year} 9:30`);
  await page.getByLabel("Send at").blur();
  await expect(page.getByLabel("Send at")).toHaveValue(`${year} 09:30`);

  // The session ends at the daemon, and the page hears of it.
  await daemon.call("POST", "/api/logout", ada.token);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText("Login again")).toBeVisible();
  // One notice, and sign-in over the first page, which leads back.
  await expect(page.locator(".notistack-Snackbar")).toHaveCount(1);
  const signIn = page.getByRole("dialog", { name: "Log in to go on" });
  await expect(signIn.getByText("What you wrote is kept.")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "sign-in-over", false);
  await signIn.getByLabel("Email or user name").fill(ada.username);
  await signIn.getByLabel("Password").fill(ada.password);
  await signIn.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/compose-sms/);
  await expect(page.getByText("This is what you wrote before your session ended.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Half a thought");
  await expect(page.getByLabel("Send at")).toHaveValue(`${year} 09:30`);
  await expectAccessible(page);
  await shoot(page, "compose-returned");
  await page.getByRole("button", { name: "Schedule message" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(dialog).toContainText(`Campaign Start${year} 09:30`);
  await dialog.getByRole("button", { name: "No, Cancel" }).click();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("");

  await page.goto("/dashboard/transaction-history");
  await page.getByLabel("Since").fill("2026-1-5");
  await expect(page).toHaveURL(/from=2026-01-05/);
  await page.getByLabel("Since").fill("05/01/2026");
  await page.getByLabel("Since").blur();
  await expect(page.getByText("Write it as YYYY-MM-DD", { exact: true })).toBeVisible();
});
