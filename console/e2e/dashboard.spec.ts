import { ADMIN } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, snap, test } from "./harness";

test("a customer finds both balances, six tiles and the menu, and logs out", async ({ page, daemon }) => {
  const ada = await daemon.customer({ naira: 12_345.678, espees: 20 });
  const admin = await daemon.admin();
  for (const announcement of ["MTN is back to normal", "New: reports by network", "Rates hold until March"]) {
    await daemon.call("POST", "/admin/manage-annoucement", admin, { action: "create", announcement });
  }
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard");
  const balances = page.getByLabel("Balances");
  await expect(balances).toContainText("₦12,345.67");
  await expect(balances).toContainText("20.00 ESPEES");
  for (const tile of ["Last Message Sent", "Send Message", "Fund ESPEES", "Fund Naira Account"]) {
    await expect(page.getByRole("region", { name: tile, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: "Dashboard", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.getByLabel("Announcements", { exact: true })).toContainText("MTN is back to normal");
  await expect(page.getByLabel("More announcements")).toContainText("Rates hold until March");
  await expect(page.getByText("No real messages, no real money")).toBeVisible();
  // The way out needs no scrolling, and the sandbox's word has its own place in the bar: nothing lies under it.
  await expect(page.getByRole("button", { name: "Logout" })).toBeInViewport({ ratio: 1 });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const badge = page.getByRole("banner").getByLabel("Sandbox");
    await expect(badge).toBeInViewport({ ratio: 1 });
    const below = await badge.evaluate((it) => {
      const { left, top, width, height } = it.getBoundingClientRect();
      return document
        .elementsFromPoint(left + width / 2, top + height / 2)
        .some((one) => one.closest("main"));
    });
    expect(below).toBe(false);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await expectAccessible(page);
  await shoot(page, "dashboard-home");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Open the menu" }).click();
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await snap(page, "dashboard-menu-360", false);
  // A choice closes it, and the page is told to screen readers.
  await page.getByRole("link", { name: "SMS Campaign" }).click();
  await expect(page.getByRole("button", { name: "Open the menu" })).toBeVisible();
  await expect(page).toHaveURL(/compose-sms/);
  await page.getByRole("button", { name: "Open the menu" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  expect(await page.evaluate(() => sessionStorage.getItem("token"))).toBeNull();
});

test("the menu shows where one is, in a low window too", async ({ page, daemon }) => {
  await signInAs(page, daemon, await daemon.customer({}));
  await page.setViewportSize({ width: 1280, height: 620 });
  await page.goto("/dashboard/webhooks");
  const menu = page.getByRole("navigation", { name: "Dashboard" });
  await expect(menu.getByRole("link", { name: "Webhooks" })).toBeInViewport({ ratio: 0.9 });
  await expect(menu.getByRole("button", { name: "Logout" })).toBeInViewport({ ratio: 0.9 });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test("a page, a campaign and a number are found by keyboard, and colours are chosen", async ({
  page,
  daemon,
}) => {
  await signInAs(page, daemon, await daemon.customer({}));
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("transfer");
  await expect(page.getByRole("option", { name: /Transfer Funds/ })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await snap(page, "search", false);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Transfer Funds" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("0803 123 4567");
  await page.getByRole("option", { name: /every message and call to it/ }).click();
  await expect(page).toHaveURL(/messages\?number=08031234567/);
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-scheme", "dark");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(ground).toBe("rgb(16, 22, 19)");
  await page.reload();
  await expect.poll(ground).toBe("rgb(16, 22, 19)");
  await page.getByRole("radio", { name: "System" }).check();
  await expect.poll(ground).toBe("rgb(250, 248, 243)");
});

test("without a session the dashboard leads to the first page", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
});

test("a page that was asked for without a session opens after signing in", async ({ page, daemon }) => {
  const eve = await daemon.customer({});
  await page.goto("/dashboard/transaction-history?status=failed");
  await expect(page).toHaveURL("/");
  const signIn = page.getByRole("dialog", { name: "Log in to go on" });
  await signIn.getByLabel("Email or user name").fill(eve.username);
  await signIn.getByLabel("Password").fill(eve.password);
  await signIn.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "Transaction History" })).toBeVisible();
  await expect(page).toHaveURL(/transaction-history\?status=failed/);
  // A user who logs out has asked for nothing.
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test.describe("an expired session", () => {
  test.use({ allowed: [/401/] });

  test("goes to the first page and says so", async ({ page, daemon }) => {
    const bola = await daemon.customer({});
    await signInAs(page, daemon, bola);
    await daemon.call("POST", "/api/logout", bola.token);
    await page.goto("/dashboard");
    await expect(page).toHaveURL("/");
    await expect(page.getByText("Login again")).toBeVisible();
  });
});

test.describe("maintenance", () => {
  test.use({ allowed: [/503/] });

  test("closes the dashboard to customers until it is over", async ({ page, daemon }) => {
    const admin = await daemon.admin();
    const chidi = await daemon.customer({});
    await signInAs(page, daemon, chidi);
    await daemon.call("POST", "/admin/enable-maintenance-mode", admin, {
      message: "Back at nine.",
      maintenance_mode: "1",
    });
    try {
      await page.goto("/dashboard");
      await expect(page.getByRole("heading", { name: "We'll Be Back Soon" })).toBeVisible();
      await expect(page.getByText("Back at nine.")).toBeVisible();
      await expectAccessible(page);
      await shoot(page, "maintenance");
    } finally {
      await daemon.call("POST", "/admin/disable-maintenance-mode", admin, { maintenance_mode: "0" });
    }
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible({ timeout: 15_000 });
  });
});

test("an administrator comes in at /login and is led to the administration", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email or user name").fill(ADMIN.username);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/\/dashboard\/admin/);
});
