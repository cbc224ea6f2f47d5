// What an operator does to a carrier.
import { expect, expectAccessible, shoot, signIn, test } from "./harness";
import { openAndLeave } from "./keyboard";

const CARRIERS = "/dashboard/admin/carriers";

// What Chromium itself says of the number that is refused, and of the file that cannot be read again.
test.use({ allowed: [/status of (4\d\d|503)/] });

test("a carrier is paused with a reason, tested while it is, traced, and resumed", async ({
  page,
  daemon,
}) => {
  await signIn(page, daemon, await daemon.admin());
  await page.goto(CARRIERS);
  const card = page.getByRole("region", { name: "Carrier sandbox", exact: true });
  await expect(card).toContainText("Bound", { timeout: 30_000 });
  await expectAccessible(page);
  await shoot(page, "admin-carriers");
  const dialog = page.getByRole("dialog");
  await card.getByRole("button", { name: "Pause sandbox" }).click();
  await dialog.getByLabel("Reason").fill("MTN asked for it");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(card).toContainText("Paused");
  await expect(card).toContainText("MTN asked for it");

  await page.getByRole("link", { name: "sandbox", exact: true }).click();
  await page.getByRole("button", { name: "Trace for 5 minutes" }).click();
  await expect(page.getByRole("button", { name: "End the trace" })).toBeVisible();
  await card.getByRole("button", { name: "Send a test over sandbox" }).click();
  await dialog.getByLabel("To").fill("12");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog).toContainText(/'12'|number/);
  await dialog.getByLabel("To").fill("08031234567");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog).toContainText("Delivered", { timeout: 30_000 });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("log", { name: "Trace of sandbox" })).toContainText("submit_sm");
  await expectAccessible(page);
  await shoot(page, "admin-carrier");
  await page.getByRole("button", { name: "End the trace" }).click();
  await expect(page.getByRole("button", { name: "Trace for 5 minutes" })).toBeVisible();
  const reroute = card.getByRole("button", { name: "Reroute sandbox" });
  await openAndLeave(page, reroute);
  await reroute.click();
  await dialog.getByRole("button", { name: "Reroute" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: /^C/ }).click();
  const resume = card.getByRole("button", { name: "Resume sandbox" });
  await openAndLeave(page, resume);
  await resume.click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(card).toContainText("Open");
  await page.goto(`${CARRIERS}/unheard-of`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

// The sandbox has no file of carriers to read again: the daemon says so, and so does the page.
test("a reload says what came of it", async ({ page, daemon }) => {
  await signIn(page, daemon, await daemon.admin());
  await page.goto(CARRIERS);
  await page.getByRole("button", { name: "Reload the configuration" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Reload", exact: true }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
});
