import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, shoot, signIn, signInAs, snap, test } from "./harness";

const list = (page: Page) => page.getByRole("table", { name: "Rates" });
const unsaved = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

async function save(page: Page) {
  await page.getByRole("button", { name: "Save rates" }).click();
  await page.getByRole("button", { name: "Change the rates" }).click();
  // The question stays until the rates are saved; what is below it has no role until then.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(unsaved(page)).toHaveCount(0);
}

const csv = (text: string) => ({ name: "rates.csv", mimeType: "text/csv", buffer: Buffer.from(text) });

test("an administrator sets rates by hand and by a file, and visitors read them", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices(4.5, 0.01);
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/rates");
  await expect(page.getByText("No rates", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a rate" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New rate" });
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog.getByText(/Write digits from the calling code on/)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-rates-new", false);
  await dialog.getByLabel("Prefix").fill("+44");
  await dialog.getByLabel("A page in Naira").fill("60");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(list(page).getByRole("row", { name: /\+44/ })).toContainText("₦60.00000");
  await expect(unsaved(page)).toContainText("1 price is new.");
  await save(page);
  await expect(page.getByText("1 price changed; quotes that were given keep theirs")).toBeVisible();

  // A file with a fault is told by its line, and a good one by what it changes.
  const file = page.getByLabel("File of rates");
  await file.setInputFiles(csv("prefix,network,espees,naira\n44,,0.08,600\n0033,,1,1\n"));
  const read = page.getByRole("dialog", { name: "rates.csv" });
  await expect(read).toContainText("Line 3: '0033' is no prefix");
  await expect(read.getByRole("button", { name: "Put into the list" })).toBeDisabled();
  await expectAccessible(page);
  await snap(page, "admin-rates-faults", false);
  await read.getByRole("button", { name: "Close" }).click();
  await expect(read).toHaveCount(0);
  const many = Array.from({ length: 30 }, (_, at) => `${351 + at},,0.0${at + 10},${70 + at}`);
  const good = ["prefix,network,espees,naira", "44,,0.08,600", "234,mtn,,4.2", "1,,0.03,", ...many];
  await file.setInputFiles(csv(good.join("\n")));
  await expect(read).toContainText("33 rates in the file. 63 prices are new, 1 price changes.");
  await expect(read.getByRole("listitem").first()).toContainText("+44, Naira₦60.00000→₦600.00000+900 %");
  await expectAccessible(page);
  await shoot(page, "admin-rates-file", false);
  await read.getByRole("button", { name: "Put into the list" }).click();
  await expect(read).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, "admin-rates-unsaved");
  // What is not saved is not lost by a click.
  await page.getByRole("link", { name: "SMS Unit Price" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  const search = page.getByLabel("Search by prefix or network");
  await search.fill("+44 7911 123456");
  await expect(list(page).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Edit the rate of +44" }).click();
  const edit = page.getByRole("dialog", { name: "Rate of +44" });
  await edit.getByLabel("A page in Naira").fill("66.5");
  await edit.getByRole("button", { name: "Change" }).click();
  await page.getByRole("button", { name: "Save rates" }).click();
  await expectAccessible(page);
  await shoot(page, "admin-rates-ask", false);
  await page.getByRole("button", { name: "Change the rates" }).click();
  await expect(unsaved(page)).toHaveCount(0);
  await expect(page.getByRole("row", { name: /\+44, Naira/ }).first()).toContainText("₦60.00000₦66.50000");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await shoot(page, "admin-rates");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).first().click();
  const saved = readFileSync(await (await download).path(), "utf8");
  expect(saved).toContain("prefix,network,purpose,espees,naira\r\n1,,,0.03,\r\n234,mtn,,,4.2\r\n");
  expect(saved).toContain("44,,,0.08,66.5");

  await page.goto("/");
  const prices = page.getByRole("region", { name: "What it costs" });
  await prices.getByText("SMS by destination").first().click();
  await expect(prices.getByRole("row", { name: /^\+44 / })).toContainText("₦66.500000.08000 ESPEES");
  await expect(prices.getByRole("row", { name: /Nigeria, MTN/ })).toContainText("₦4.200000.01000 ESPEES");
  await prices.getByLabel("What").selectOption("SMS to +44");
  await expect(prices.getByRole("status")).toContainText("₦665,000.00or 800.00 ESPEES");
  await expectAccessible(page);
  await shoot(page, "landing-rates");
});

test.describe("what another administrator changed meanwhile", () => {
  test.use({ allowed: [/409/] });

  test("is shown below what was changed here, and nothing is lost", async ({ page, daemon }) => {
    const admin = await daemon.admin();
    const put = (rates: object[]) => daemon.call("PUT", "/admin/rates", admin, { rates });
    await put([{ prefix: "44", naira: 60 }]);
    await signIn(page, daemon, admin);
    await page.goto("/dashboard/admin/rates");
    await page.getByRole("button", { name: "Edit the rate of +44" }).click();
    await page.getByLabel("A page in Naira").fill("65");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByRole("button", { name: "Save rates" }).click();
    await put([
      { prefix: "44", naira: 60 },
      { prefix: "33", naira: 70 },
    ]);
    await page.getByRole("button", { name: "Change the rates" }).click();
    await expect(
      page.getByText(/The rates were changed meanwhile, and nothing of yours was saved/),
    ).toBeVisible();
    await expect(list(page).getByRole("row", { name: /\+33/ })).toBeVisible();
    await expect(list(page).getByRole("row", { name: /\+44/ })).toContainText("₦65.00000");
    await shoot(page, "admin-rates-late");
    await save(page);
    const { rates } = await daemon.call<{ rates: object[] }>("GET", "/api/rates");
    expect(rates).toMatchObject([
      { prefix: "33", naira: 70 },
      { prefix: "44", naira: 65 },
    ]);
  });
});

test("a customer's quote has a line for each price, and what is confirmed is charged", async ({
  page,
  daemon,
}) => {
  const admin = await daemon.admin();
  await daemon.setPrices(4.5, 0.01);
  const rates = [
    { prefix: "234", network: "mtn", naira: 4.2 },
    { prefix: "44", naira: 60 },
  ];
  await daemon.call("PUT", "/admin/rates", admin, { rates });
  const ada = await daemon.customer({ naira: 1_000 });
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page
    .getByLabel("Recipients", { exact: true })
    .fill("08031234567, 08061234567, 08051234567, +447911123456");
  await page.getByRole("textbox", { name: "Message" }).fill("Practice is at five");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expect(page.getByText(/^About ₦72.90/)).toBeVisible();
  await expect(page.getByText("₦4.20 – ₦60.00 to each")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "compose-rates");
  await page.getByRole("button", { name: "Send message" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(asked.getByRole("list", { name: "Price by destination" }).getByRole("listitem")).toHaveText([
    "+44₦60.001 page at ₦60.00000",
    "Nigeria, MTN₦8.402 pages at ₦4.20000",
    "Nigeria₦4.501 page at ₦4.50000",
  ]);
  await expect(asked).toContainText("Total charge (Naira)₦72.90000");
  await expectAccessible(page);
  await shoot(page, "compose-rates-confirm", false);
  await asked.getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByText("SMS Sent")).toBeVisible();
  await expect(page.getByLabel("Balances")).toContainText("₦927.10");
  const { campaigns } = await daemon.call<{ campaigns: { id: number }[] }>(
    "GET",
    "/api/get-campaign-history",
    ada.token,
  );
  await page.goto(`/dashboard/campaigns/${campaigns[0]?.id}`);
  const cost = page.getByRole("region", { name: "Cost" });
  await expect(cost).toContainText("Nigeria, MTN₦8.402 pages at ₦4.20000");
  await expect(cost).toContainText("Confirmed price₦72.90");
  await expectAccessible(page);
  await shoot(page, "campaign-rates");

  await page.goto("/dashboard/pricing");
  const table = page.getByRole("table", { name: "Price of a page by destination" });
  await expect(table.getByRole("row", { name: /Nigeria, MTN/ })).toContainText("0.01000 ESPEES₦4.20000");
  await expectAccessible(page);
  await shoot(page, "pricing-rates");
});
