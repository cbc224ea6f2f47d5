// What the product is for, in one sitting: from the public site to a report, by nothing but clicks and keys. The codes come
// from the sandbox's outbox, the money from its payment pages, the approval from an administrator in a browser of their own.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { ADMIN, type Daemon, PASSWORD } from "./daemon";
import { consoleErrors, expect, expectAccessible, expectFits, snap, test } from "./harness";

test.setTimeout(300_000);
// The stand-ins' payment pages have no icon, which Chromium asks for.
test.use({ allowed: [/404 .*favicon\.ico/] });

/** What every page of the way has to stand. */
async function look(page: Page, name: string, fullPage = true): Promise<void> {
  await expectAccessible(page);
  await expectFits(page, name);
  await snap(page, `journey-${page.viewportSize()?.width}-${name}`, fullPage);
}

/** By the menu, as a person goes. */
async function go(page: Page, entry: string): Promise<void> {
  const opener = page.getByRole("button", { name: "Open the menu" });
  if (await opener.isVisible()) await opener.click();
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: entry, exact: true })
    .click();
}

async function signUp(page: Page, daemon: Daemon, who: { name: string; username: string; phone: string }) {
  const email = `${who.username}@example.com`;
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await look(page, "landing");
  const opener = page.getByRole("button", { name: "Open the menu" });
  if (await opener.isVisible()) await opener.click();
  await page.getByRole("link", { name: "Login/Register" }).last().click();
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  await look(page, "login");
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Your name or business").fill(who.name);
  await page.getByLabel("Username").fill(who.username);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Phone number").fill(who.phone);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await look(page, "register");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Verify your phone" })).toBeVisible();
  await look(page, "verify");
  await page.getByLabel("Digit 1 of 6").focus();
  await page.keyboard.type(await daemon.code(who.phone));
  await expect(page).toHaveURL(/auth\/login/);
  await page.getByLabel("Email or user name").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("dialog", { name: "Check your mailbox" })).toBeVisible();
  await look(page, "mailbox", false);
  await page.getByLabel("Digit 1 of 6").focus();
  await page.keyboard.type(await daemon.code(email));
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await look(page, "home-empty");
}

async function fundNaira(page: Page, amount: string, shown: string): Promise<void> {
  await go(page, "Fund Naira account");
  await page.getByLabel("Amount").fill(amount);
  await look(page, "fund-naira");
  await page.getByRole("button", { name: "Pay with Paystack" }).click();
  await page.waitForURL(/\/sandbox\/paystack/);
  await page.getByRole("button", { name: /^pay/i }).click();
  await expect(page.getByText(/Payment successful/)).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByLabel("Balances")).toContainText(shown);
}

async function fundEspees(page: Page, amount: string, shown: string): Promise<void> {
  await go(page, "Fund ESPEE account");
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Narration").fill("First credit");
  await look(page, "fund-espees");
  await page.getByRole("button", { name: "Fund ESPEE account" }).click();
  await page.waitForURL(/\/sandbox\/espees/);
  await page.getByRole("button", { name: /^pay/i }).click();
  await expect(page.getByText(/Payment successful/)).toBeVisible();
  await expect(page.getByLabel("Balances")).toContainText(shown);
}

const ROWS = 5_000;
const NO_NUMBER = 100;
const NINE_DIGITS = 100;
const DUPLICATES = 100;
const GOOD = ROWS - NO_NUMBER - NINE_DIGITS - DUPLICATES;

/** A list as customers have it: other people's columns, every way to write a number, and what is none. */
function dirtyFile() {
  const lines = ["Customer;Phone number;E-mail;Town"];
  for (let at = 0; at < ROWS; at++) {
    const seven = String(2_000_000 + at);
    const [three, four] = [seven.slice(0, 3), seven.slice(3)];
    const written = [
      `0803${seven}`,
      `+234 803 ${three} ${four}`,
      `0803-${three}-${four}`,
      `803${seven}`, // What a spreadsheet leaves of it.
      `234803${seven}`,
      `"0803 ${three} ${four}"`,
      `00234803${seven}`,
      `8.03${seven}E+09`,
      `(0803) ${three}${four}`,
      `009234803${seven}`,
    ];
    let number = written[at % written.length];
    if (at % 50 === 11) number = "ask her sister";
    if (at % 50 === 22) number = `80320${four}`;
    if (at % 50 === 33) number = `0803${2_000_000 + at - 1}`;
    lines.push(`"Okafor; ${at}";${number};c${at}@example.com;${at % 2 ? "Enugu" : "Ìbàdàn"}`);
    if (at % 500 === 0) lines.push("");
  }
  return {
    name: "customers from the shop.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`),
  };
}

async function importContacts(page: Page, saved: string): Promise<void> {
  await go(page, "Upload Contacts");
  await page.locator("input[type=file]").setInputFiles(dirtyFile());
  await expect(page.getByLabel("Phone number is")).toHaveValue("phone");
  await page.getByLabel("Group name").fill("Shop");
  await look(page, "upload");
  await page.getByRole("button", { name: "Upload contacts" }).click();
  await expect(page.getByText(/^Import finished/)).toBeVisible({ timeout: 60_000 });
  const figure = (name: string) => page.getByText(name, { exact: true }).locator("..");
  await expect(figure("Rows read")).toContainText(ROWS.toLocaleString("en"));
  await expect(figure("New")).toContainText(GOOD.toLocaleString("en"));
  await expect(figure("Duplicates")).toContainText(String(DUPLICATES));
  await expect(figure("Rejected")).toContainText(String(NO_NUMBER + NINE_DIGITS));
  await look(page, "import");
  const rejects = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rejects" }).click();
  await (await rejects).saveAs(saved);
  expect(readFileSync(saved, "utf8")).toContain("ask her sister");
  await page.getByRole("link", { name: "Open the group" }).click();
  await expect(page.getByText(`1-20 of ${GOOD.toLocaleString("en")}`)).toBeVisible();
  await look(page, "group");
}

/** The administrator's part, at the administrator's door. */
async function approve(browser: Browser, daemon: Daemon, sender: string): Promise<void> {
  const context = await browser.newContext({ baseURL: daemon.url, viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const errors = consoleErrors(page);
  await page.goto("/login");
  await page.getByLabel("Email or user name").fill(ADMIN.username);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: /waits for approval/ }).click();
  await page.getByRole("button", { name: `Approve ${sender}` }).click();
  await expect(page.getByText("Sender ID approved successfully!")).toBeVisible();
  await look(page, "admin-approved");
  await context.close();
  expect(errors).toEqual([]);
}

const asked = (page: Page) => page.getByRole("dialog", { name: "Confirm Campaign Submission" });

/** From the written form to the end of the campaign. */
async function sendIt(page: Page, name: string, lines: string[], handed: string): Promise<void> {
  await look(page, `compose-${name}`);
  await page.getByRole("button", { name: "Send message" }).click();
  for (const line of lines) await expect(asked(page)).toContainText(line, { timeout: 30_000 });
  await look(page, `confirm-${name}`, false);
  await asked(page).getByRole("button", { name: "Yes, Proceed" }).click();
  const sent = page.getByRole("region", { name: "What you sent" });
  await expect(sent).toContainText(handed, { timeout: 60_000 });
  await expect(sent.getByText("Completed")).toBeVisible({ timeout: 60_000 });
}

test("a business signs up, pays in, imports its customers, sends every kind of message, and knows what became of each", async ({
  page,
  daemon,
  browser,
}, info) => {
  await page.setViewportSize({ width: 1280, height: 860 });
  await daemon.setPrices();
  const friend = await daemon.customer({});

  await signUp(page, daemon, { name: "Adaeze Stores", username: "adaeze", phone: "0803 555 7001" });
  await fundNaira(page, "50000", "₦50,000.00");
  await fundEspees(page, "25.5", "25.50 ESPEES");
  await importContacts(page, info.outputPath("rejects.csv"));

  await go(page, "Request Sender ID");
  await page.getByRole("textbox", { name: "Sender ID", exact: true }).fill("ADAEZE");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("will be approved or disapproved shortly")).toBeVisible();
  await look(page, "sender-requested");
  await approve(browser, daemon, "ADAEZE");

  // The whole list, from the new name, with a word of its own for each.
  await go(page, "SMS Campaign");
  await page.getByRole("combobox", { name: "Sender ID" }).click();
  await page.getByRole("option", { name: "ADAEZE" }).click();
  const groups = page.getByRole("combobox", { name: "Contact groups" });
  await groups.fill("shop");
  await page.getByRole("option", { name: /^Shop/ }).click();
  await groups.press("Escape");
  // The carrier refuses the first, and reports two that did not arrive.
  await page
    .getByLabel("Recipients", { exact: true })
    .fill("08021239001, 0809 123 9002 and my cousin on 08031239003");
  await page
    .getByRole("textbox", { name: "Message" })
    .fill("Dear {name|customer}, the shop in {town|town} opens at 8 on Saturday.");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  const all = GOOD + 3;
  const many = all.toLocaleString("en");
  await sendIt(
    page,
    "text",
    ["Sender IDADAEZE", `Total Contacts${many}`, "SMS typeText", "Campaign StartSending Now"],
    `${many} of ${many} messages submitted`,
  );
  await look(page, "sent");
  await page.getByRole("link", { name: /^Open campaign/ }).click();

  // What became of it.
  await expect(page.getByText(`${many} messages: nothing is left to send and no receipt`)).toBeVisible({
    timeout: 60_000,
  });
  const statuses = page.getByRole("table", { name: "Messages by status" });
  await expect(statuses.getByRole("row", { name: /^Delivered/ })).toContainText(GOOD.toLocaleString("en"));
  for (const failed of [/^Rejected/, /^Undelivered/, /^Expired/]) {
    await expect(statuses.getByRole("row", { name: failed })).toContainText("1");
  }
  await look(page, "campaign");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download report" }).click();
  const report = info.outputPath("delivery_reports.csv");
  expect((await download).suggestedFilename()).toBe("delivery_reports.csv");
  await (await download).saveAs(report);
  const lines = readFileSync(report, "utf8").trim().split(/\r?\n/);
  expect(lines).toHaveLength(all + 1);
  expect(lines.find((line) => line.startsWith("2348021239001,"))).toContain("rejected");
  expect(lines.find((line) => line.includes("2348032000000,"))).toContain("delivered");

  await page.getByRole("button", { name: "Resend failed" }).click();
  const again = page.getByRole("dialog", { name: "Send the failed messages again?" });
  await expect(again).toContainText("3 messages of campaign");
  await look(page, "resend", false);
  await again.getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByText("3 messages: nothing is left to send")).toBeVisible({ timeout: 30_000 });

  // The other four kinds.
  await go(page, "SMS Campaign");
  await page.getByRole("radio", { name: /ESPEES/ }).check();
  const message = (text: string) => page.getByRole("textbox", { name: "Message" }).fill(text);
  const card = {
    "First name": "Adaeze",
    "Last name": "Okafor",
    Company: "Adaeze Stores",
    "Job title": "Owner",
    Telephone: "+2348035557001",
    Email: "adaeze@example.com",
  };
  const kinds: [name: string, write: () => Promise<void>][] = [
    ["Flash", () => message("Your code is 4711")],
    ["Unicode", () => message("Ẹ kú ọjà! Ilé ìtajà wa ti ṣí.")],
    [
      "WAP push",
      async () => {
        await page.getByLabel("WAP title").fill("Our prices");
        await page.getByLabel("WAP URL").fill("https://www.example.com/prices");
      },
    ],
    [
      "vCard",
      async () => {
        for (const [label, value] of Object.entries(card)) await page.getByLabel(label).fill(value);
      },
    ],
  ];
  for (const [name, write] of kinds) {
    await page.getByLabel("Recipients", { exact: true }).fill("08032000000, 08052000001");
    await page.getByRole("button", { name, exact: true }).click();
    await write();
    await sendIt(page, name.toLowerCase().replace(" ", "-"), [`SMS type${name}`], "2 of 2 messages");
  }
  await go(page, "Sent Messages");
  for (const tab of ["Text", "Flash", "Unicode", "WAP", "VCard"]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await expect(page.getByRole("table").getByText("Completed").first()).toBeVisible();
  }
  await look(page, "sent-messages");
  await go(page, "Delivery Reports");
  await expect(page.getByText("1-6 of 6")).toBeVisible();
  await look(page, "delivery-reports");

  await go(page, "Transfer Funds");
  await page.getByLabel("Recipient username").fill(friend.username);
  await page.getByLabel("Amount").fill("5.5");
  await look(page, "transfer");
  await page.getByRole("button", { name: "Transfer", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText(
    `5.50 ESPEES goes from your account to ${friend.username}`,
  );
  await page.getByRole("button", { name: "Yes, transfer" }).click();
  await expect(page.getByText(/Transfer successful/)).toBeVisible();
  const purse = await daemon.call<Record<string, number>>("GET", "/api/get-espee-balance", friend.token);
  expect(purse["espees-balance"]).toBe(5.5);
  await go(page, "Transaction History");
  await expect(page.getByRole("row", { name: /Transfer/ }).first()).toContainText("-5.50 ESPEES");
  await look(page, "transactions");
  await go(page, "Dashboard");
  await expect(page.getByRole("region", { name: "Last Message Sent" })).toContainText(/\d{4}-\d\d-\d\d/);
  await look(page, "home");

  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.goBack();
  await expect(page.getByRole("link", { name: "Login/Register" }).first()).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("the same way fits in a hand: sign up, pay in, send, read the report, log out", async ({
    page,
    daemon,
  }) => {
    await daemon.setPrices();
    await signUp(page, daemon, { name: "Bola Ade", username: "bola.ade", phone: "+234 802 555 7002" });
    await fundNaira(page, "1000", "₦1,000.00");
    await go(page, "Upload Contacts");
    await look(page, "upload");
    await go(page, "SMS Campaign");
    await page.getByLabel("Recipients", { exact: true }).fill("08031230001\n08051230002\n08021239002");
    await page.getByRole("textbox", { name: "Message" }).fill("Rehearsal is at 5 today.");
    await page.getByRole("radio", { name: /Naira balance/ }).check();
    await sendIt(page, "text", ["Total Contacts3", "₦13.50000"], "3 of 3 messages submitted");
    await look(page, "sent");
    await page.getByRole("link", { name: /^Open campaign/ }).click();
    const statuses = page.getByRole("table", { name: "Messages by status" });
    await expect(statuses.getByRole("row", { name: /^Undelivered/ })).toBeVisible({ timeout: 30_000 });
    await look(page, "campaign");
    await go(page, "Sent Messages");
    await expect(page.getByRole("heading", { name: "Sent Messages" })).toBeVisible();
    await expect(page.getByText("Rehearsal is at 5 today.", { exact: true })).toBeVisible();
    await look(page, "sent-messages");
    await go(page, "Transaction History");
    await expect(page.getByText("-₦13.50")).toBeVisible();
    await look(page, "transactions");
    await page.getByRole("button", { name: "Open the menu" }).click();
    await look(page, "menu", false);
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
