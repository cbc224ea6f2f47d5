import type { Page } from "@playwright/test";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

/** Does what a payer does at the page of a stand-in. */
async function pay(page: Page, at: RegExp, outcome: RegExp) {
  await page.waitForURL(at);
  await page.getByRole("button", { name: outcome }).click();
}

test.describe("at the pages of the stand-ins", () => {
  // They have no icon, which Chromium asks for.
  test.use({ allowed: [/404/] });

  test("the ESPEES account is funded, by a payment and after one that was not made", async ({
    page,
    daemon,
  }) => {
    const ada = await daemon.customer({});
    await signInAs(page, daemon, ada);
    await page.goto("/dashboard/transaction-history");
    await expect(page.getByRole("link", { name: "Fund ESPEE account" }).last()).toHaveAttribute(
      "href",
      "/dashboard/buy-sms-online",
    );
    await page.goto("/dashboard/buy-sms-online");
    await page.getByRole("button", { name: "Fund ESPEE account" }).click();
    await expect(page.getByText("Amount is required")).toBeVisible();
    await expect(page.getByText("Narration is required")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Amount").fill("12.345678");
    await page.getByLabel("Narration").fill("credit for March");
    await page.getByRole("button", { name: "Fund ESPEE account" }).click();
    await pay(page, /\/sandbox\/espees/, /decline/i);
    await expect(page).toHaveURL(/\/dashboard\/buy-sms-online\?failed/);
    await expect(page.getByText("You came back without paying.")).toBeVisible();
    // What is asked for is not cut to what a balance shows.
    await expect(page.getByRole("region", { name: "Recent payments" })).toContainText("12.345678 ESPEES");

    await page.getByLabel("Amount").fill("1,000.5");
    await page.getByLabel("Narration").fill("credit for April");
    await page.getByRole("button", { name: "Fund ESPEE account" }).click();
    await pay(page, /\/sandbox\/espees/, /^pay/i);
    await expect(page.getByText("Payment successful: 1000.5 ESPEES was added to your account")).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\/buy-sms-online$/);
    await expect(page.getByLabel("Balances")).toContainText("1,000.50 ESPEES");
    await expect(page.getByLabel("Amount")).toHaveValue("");
    expect(await page.evaluate(() => sessionStorage.getItem("payment_ref"))).toBeNull();
    await expectAccessible(page);
    await shoot(page, "fund-espees");
  });

  test("the Naira account is funded by Paystack, and the way ends at the dashboard", async ({
    page,
    daemon,
  }) => {
    const bola = await daemon.customer({});
    await signInAs(page, daemon, bola);
    await page.goto("/dashboard/fund-with-paystack");
    await page.getByLabel("Amount").fill("10.005");
    await page.getByRole("button", { name: "Pay with Paystack" }).click();
    await expect(page.getByText("at most 2 decimals")).toBeVisible();
    await page.getByLabel("Amount").fill("1500.50");
    await shoot(page, "fund-naira");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Pay with Paystack" }).click();
    await page.waitForURL(/\/sandbox\/paystack/);
    await pay(page, /\/sandbox\/paystack/, /^pay/i);
    await expect(page.getByText("Payment successful: 1500.5 Naira was added to your account")).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByLabel("Balances")).toContainText("₦1,500.50");
  });
});

test.describe("refused by the daemon", () => {
  test.use({ allowed: [/400/] });

  test("a transfer is confirmed, made once, and refused in the daemon's words", async ({ page, daemon }) => {
    const chidi = await daemon.customer({ espees: 10 });
    const dayo = await daemon.customer({});
    await signInAs(page, daemon, chidi);
    await page.goto("/dashboard/transfer-funds");
    await expect(page.getByRole("heading", { name: "Transfer Funds" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Transfer", exact: true }).click();
    await expect(page.getByText("Recipient username is required")).toBeVisible();
    await page.getByLabel("Recipient username").fill(dayo.username);
    await page.getByLabel("Amount").fill("11");
    await page.getByRole("button", { name: "Transfer", exact: true }).click();
    await page.getByRole("button", { name: "Yes, transfer" }).click();
    await expect(page.getByText("The ESPEES balance of 10 does not cover 11").first()).toBeVisible();
    await page.getByLabel("Amount").fill("2.5");
    await page.getByRole("button", { name: "Transfer", exact: true }).click();
    await expect(page.getByRole("dialog")).toContainText(
      `2.50 ESPEES goes from your account to ${dayo.username}`,
    );
    await expectAccessible(page);
    await shoot(page, "transfer-funds", false);
    await page.getByRole("button", { name: "Yes, transfer" }).click();
    await expect(page.getByText(/Transfer successful/)).toBeVisible();
    await expect(page.getByLabel("Balances")).toContainText("7.50 ESPEES");
  });
});

test("the history is filtered, and a charge is explained by the entries of its campaign", async ({
  page,
  daemon,
}) => {
  const efe = await daemon.customer({ naira: 1000, espees: 5 });
  await daemon.setPrices();
  const form = {
    senderid: "WEBSMS",
    message: "Hello",
    contacts: "08031234567,08031239001",
    payment_method: "naira",
  };
  const { details } = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/send-text-sms",
    efe.token,
    form,
  );
  await daemon.call("POST", "/api/confirm-send-text-sms", efe.token, { quote_id: details.quote_id });
  await expect
    .poll(async () =>
      (
        await daemon.call<{ transactions: { kind: string }[] }>(
          "GET",
          "/api/get-transaction-history",
          efe.token,
        )
      ).transactions.map((it) => it.kind),
    )
    .toContain("release");
  await signInAs(page, daemon, efe);
  await page.goto("/dashboard/transaction-history");
  await expect(page.getByRole("row", { name: /Reserved for a campaign/ })).toContainText("-₦9.00");
  await expect(page.getByRole("row", { name: /Credit by an administrator/ })).toHaveCount(2);
  await expectAccessible(page);
  await shoot(page, "transaction-history");
  await page.getByRole("button", { name: /Why was I charged/ }).click();
  const dialog = page.getByRole("dialog", { name: "Why was I charged?" });
  await expect(dialog).toContainText("Confirmed price");
  await expect(dialog).toContainText("₦4.50");
  await expect(dialog).toContainText("messages that were not sent");
  await expectAccessible(page);
  await shoot(page, "why-was-i-charged", false);
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByLabel("Currency").selectOption("espees");
  await expect(page.getByText("1-1 of 1")).toBeVisible();
  await page.getByLabel("Kind").selectOption("transfer");
  await expect(page.getByText("No transaction matches")).toBeVisible();
  await page.getByRole("button", { name: "Show all transactions" }).click();
  await expect(page).toHaveURL(/transaction-history$/);
});

test("the pricing write-up is the administrator's", async ({ page, daemon }) => {
  const femi = await daemon.customer({});
  const admin = await daemon.admin();
  await daemon.setPrices();
  await daemon.call("POST", "/admin/about-us", admin, {
    content: "<h2>Rates</h2><p>Four Naira fifty a page.</p><script>alert(1)</script>",
  });
  await signInAs(page, daemon, femi);
  await page.goto("/dashboard/pricing");
  await expect(page.getByText("Four Naira fifty a page.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Price of a page" })).toContainText("0.01000 ESPEES");
  await expectAccessible(page);
  await shoot(page, "pricing");
});

test.describe("a write-up that was not sanitised", () => {
  // The parser of the purifier reports what it then takes out.
  test.use({ allowed: [/Executing inline event handler/] });

  test("does not run", async ({ page, daemon }) => {
    await signInAs(page, daemon, await daemon.customer({}));
    const value = `<h2>Rates</h2><p onclick="x()">Five Naira</p><script>window.broken = 1</script><form><input></form>`;
    await page.route("**/api/get-about-us", (route) => route.fulfill({ json: { "About-Us": [{ value }] } }));
    await page.goto("/dashboard/pricing");
    await expect(page.getByText("Five Naira")).toBeVisible();
    expect(await page.locator("main").innerHTML()).not.toMatch(/onclick|<script|<form|<input/);
  });
});
