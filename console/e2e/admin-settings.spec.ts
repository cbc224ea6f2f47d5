import type { Page } from "@playwright/test";
import { expect, expectAccessible, shoot, signIn, test } from "./harness";

test.beforeEach(async ({ page, daemon }) => signIn(page, daemon, await daemon.admin()));

const at = (page: Page, path: string) => page.goto(`/dashboard/admin/${path}`);

test("single values are set, checked and shown again", async ({ page }) => {
  const settings = [
    [
      "set-wallet-address",
      "Wallet address",
      "0xabc123",
      "Save wallet address",
      "Wallet Address updated successfully!",
    ],
    [
      "set-contact-address",
      "Address",
      "12 Marina, Lagos",
      "Save address",
      "Contact Address updated successfully!",
    ],
    ["set-contact-email", "Email", "hello@example.com", "Save email", "Contact Email updated successfully!"],
    [
      "set-contact-phone",
      "Phone",
      "+234 803 123 4567",
      "Save contact phone",
      "Contact Phone updated successfully!",
    ],
  ] as const;
  for (const [path, label, value, save, done] of settings) {
    await at(page, path);
    await expect(page.getByText("Not set yet.").first()).toBeVisible();
    await page.getByRole("button", { name: save }).click();
    await expect(page.getByText(/is required/).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole("button", { name: save }).click();
    await expect(page.getByText(done)).toBeVisible();
    await expect(page.getByText(/Last changed/).first()).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }
  await shoot(page, "admin-contact-phone");
});

test.describe("what the daemon refuses", () => {
  test.use({ allowed: [/400/] });

  test("lands at the field it is about", async ({ page }) => {
    await at(page, "set-contact-phone");
    await page.getByLabel("Admin phone number").fill("call me");
    await page.getByRole("button", { name: "Save admin phone" }).click();
    await expect(page.getByText(/must be a telephone number/)).toBeVisible();
  });
});

test("keys are set and never shown again but for four characters", async ({ page }) => {
  await at(page, "set-sms-api-key");
  await page.getByLabel("New API key").fill("secret-carrier-key-9876");
  await page.getByRole("button", { name: "Save API key" }).click();
  await expect(page.getByText("API key updated successfully!")).toBeVisible();
  await expect(page.getByText(/9876, last changed/)).toBeVisible();
  await expect(page.getByLabel("New API key")).toHaveValue("");
  await expectAccessible(page);
  await at(page, "set-paystack-keys");
  await page.getByLabel("New secret key").fill("sk_test_abcdefgh1234");
  await page.getByRole("button", { name: "Save Paystack keys" }).click();
  await expect(page.getByText("Please provide both secret and public keys.")).toBeVisible();
  await page.getByLabel("New public key").fill("pk_test_abcdefgh5678");
  await page.getByRole("button", { name: "Save Paystack keys" }).click();
  await expect(page.getByText(/secret key .*1234, public key .*5678/)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-paystack-keys");
});

test("prices are set with their history beneath", async ({ page }) => {
  await at(page, "set-sms-unit-price");
  await page.getByLabel("Price in ESPEES").first().fill("half");
  await page.getByRole("button", { name: "Save unit price" }).first().click();
  await expect(page.getByText(/Write a number such as 4.5/)).toBeVisible();
  await page.getByLabel("Price in ESPEES").first().fill("0.0125");
  await page.getByRole("button", { name: "Save unit price" }).first().click();
  await page.getByRole("button", { name: "Set the price" }).click();
  await expect(page.getByText("Unit Price updated successfully!")).toBeVisible();
  await expect(page.getByRole("row", { name: /0.0125/ })).toBeVisible();
  await expect(page.getByText("Effect on margins")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-sms-price");
  await at(page, "set-voice-unit-price");
  const own = page.getByLabel("Price in ESPEES").nth(2);
  await own.fill("0.2");
  await page.getByRole("button", { name: "Save unit price" }).nth(2).click();
  await page.getByRole("button", { name: "Set the price" }).click();
  await expect(page.getByText("Own Number Unit Price updated successfully!")).toBeVisible();
  await expectAccessible(page);
  await at(page, "set-paystack-unit-price");
  await page.getByLabel("Price in Naira").first().fill("4.5");
  await page.getByRole("button", { name: "Save unit price" }).first().click();
  await page.getByRole("button", { name: "Set the price" }).click();
  await expect(page.getByRole("row", { name: /4.5/ })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-naira-prices");
});

test.describe("what a page fetches when it is asked for", () => {
  test.use({ allowed: [/ERR_FAILED/] });

  test("is fetched again by the next press where it did not come", async ({ page }) => {
    const told = page.getByText(/This could not be loaded. Check your connection and try again/);
    const failOnce = (name: string) => page.route(`**/${name}-*.js`, (it) => it.abort(), { times: 1 });
    await failOnce("PricingEditor");
    await at(page, "set-pricing");
    await page.getByRole("button", { name: /^(Edit|Write)$/ }).click();
    await expect(told).toBeVisible();
    await page.getByRole("button", { name: /^(Edit|Write)$/ }).click();
    await expect(page.getByRole("textbox", { name: "Pricing write up" })).toBeVisible();

    await failOnce("AssignDialog");
    await at(page, "approve-virtualNumber");
    await page.getByRole("button", { name: "Assign a number" }).first().click();
    await expect(told).toBeVisible();
    await page.getByRole("button", { name: "Assign a number" }).first().click();
    await expect(page.getByRole("dialog", { name: "Assign Virtual Number" })).toBeVisible();
  });
});

test("the pricing write-up is written in the editor and kept", async ({ page }) => {
  await at(page, "set-pricing");
  await expect(page.getByText("Nothing is written yet.")).toBeVisible();
  await page.getByRole("button", { name: "Save pricing write up" }).click();
  await expect(page.getByText("Content is required")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Write", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Pricing write up" });
  await editor.fill("Four naira fifty a page");
  await expectAccessible(page);
  await shoot(page, "admin-set-pricing");
  await page.getByRole("button", { name: "Save pricing write up" }).click();
  await expect(page.getByText("Pricing write up updated successfully!")).toBeVisible();
  await page.reload();
  const read = page.getByRole("region", { name: "Pricing write up" });
  await expect(read).toContainText("Four naira fifty a page");
  await expectAccessible(page);
  await shoot(page, "admin-set-pricing-read");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editor).toBeFocused();
  await page.keyboard.type(", at night as well");
  await page.getByRole("button", { name: "Save pricing write up" }).click();
  await expect(page.getByText("Pricing write up updated successfully!")).toBeVisible();
  await page.reload();
  await expect(read).toContainText("Four naira fifty a page, at night as well");
});

test("maintenance says whom it shuts out before it is on", async ({ page, daemon }) => {
  await daemon.customer({});
  await at(page, "maintainance");
  await page.getByRole("switch", { name: "Maintenance mode" }).click();
  await expect(page.getByText("Please enter a message")).toBeVisible();
  await page.getByLabel("Message").fill("Back at nine.");
  await page.getByRole("switch", { name: "Maintenance mode" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 active customer ");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByText("The website is currently in maintenance mode.").first()).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-maintenance");
  await page.getByRole("switch", { name: "Maintenance mode" }).click();
  await expect(page.getByText("The website is live for all users.").first()).toBeVisible();
});
