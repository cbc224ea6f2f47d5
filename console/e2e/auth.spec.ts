import type { Page } from "@playwright/test";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

const PASSWORD = "a-long-enough-password";

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Digit 1 of 6").focus();
  await page.keyboard.type(code);
}

test("a stranger signs up, proves phone and address, and arrives at the dashboard", async ({
  page,
  daemon,
}) => {
  await page.goto("/auth/register");
  await expect(page.getByRole("button", { name: "Login with KingsChat" })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "register");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Name is required", { exact: true })).toBeVisible();
  await page.getByLabel("Your name or business").fill("Ada Obi");
  await page.getByLabel("Username").fill("ada.obi");
  await page.getByLabel("Email").fill("ada.obi@example.com");
  await page.getByLabel("Phone number").fill("0803 555 0101");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/verify-reg/);
  await expect(page.getByText("Code sent")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "verify-registration");
  await enterCode(page, await daemon.code("08035550101"));
  await expect(page).toHaveURL(/auth\/login/);

  await page.getByLabel("Email or user name").fill("ada.obi");
  await page.getByLabel("Password").fill(PASSWORD);
  await shoot(page, "login");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("dialog", { name: "Check your mailbox" })).toBeVisible();
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await shoot(page, "login-code", false);
  await enterCode(page, await daemon.code("ada.obi@example.com"));
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText("Logged in Successfully")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
});

test.describe("refusals", () => {
  test.use({ allowed: [/401|400/] });

  test("a wrong password and a wrong code are said where they were entered", async ({ page, daemon }) => {
    const bola = await daemon.customer({});
    await page.goto("/auth/login");
    await page.getByLabel("Email or user name").fill(bola.username);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByText("The user name or the password is wrong")).toBeVisible();
    await page.goto("/auth/verify-reg");
    await page.getByLabel("Phone number").fill("08039999999");
    await enterCode(page, "000000");
    await expect(page.getByText(/code/i).last()).toBeVisible();
    await expect(page).toHaveURL(/verify-reg/);
  });
});

test("a forgotten password is renewed by a code, and the new one signs in", async ({ page, daemon }) => {
  const chidi = await daemon.customer({});
  await page.goto("/auth/login");
  await page.getByRole("link", { name: "I forgot my password" }).click();
  // Until the next page is loaded, the field of the sign-in stands here, whose name begins with the same word.
  await page.getByLabel("Email", { exact: true }).fill(chidi.email);
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect(page.getByText("If this address has an account, a code was sent to it")).toBeVisible();
  await expectAccessible(page);
  await enterCode(page, await daemon.code(chidi.email));
  await page.getByLabel("New password", { exact: true }).fill("another-long-password");
  await page.getByLabel("New password again").fill("another-long-password");
  await shoot(page, "forgot-password");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page).toHaveURL(/auth\/login/);
  await page.getByLabel("Email or user name").fill(chidi.email);
  await page.getByLabel("Password").fill("another-long-password");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

for (const [flow, code_flow] of [
  ["newer", true],
  ["older", false],
] as const) {
  test(`KingsChat signs in by its ${flow} flow`, async ({ page, daemon }) => {
    // The sandbox offers the newer flow; the older is what a platform without the newer one's key offers.
    await page.route("**/api/kingschat/options", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), code_flow } });
    });
    const id = `e2e-${flow}`;
    await daemon.call(
      "GET",
      `/sandbox/kingschat/token?id=${id}&username=${id}&name=Ngozi-${flow}&email=${id}@example.com`,
    );
    await page.goto("/auth/login");
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Login with KingsChat" }).click();
    const popup = await opening;
    await popup.getByRole("button", { name: new RegExp(`Ngozi-${flow}`) }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText("Logged in Successfully")).toBeVisible();
    await expect.poll(() => popup.isClosed()).toBe(true);
  });
}

test("closing KingsChat's window is said", async ({ page }) => {
  await page.goto("/auth/login");
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Login with KingsChat" }).click();
  const popup = await opening;
  await popup.close();
  await expect(page.getByText("User closed window before allowing access")).toBeVisible();
});

test("who is signed in is led past the sign-in", async ({ page, daemon }) => {
  await signInAs(page, daemon, await daemon.customer({}));
  await page.goto("/auth/login");
  await expect(page).toHaveURL(/\/dashboard$/);
});
