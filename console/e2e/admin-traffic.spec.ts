// The administration's pages of traffic and money, used as an operator does.
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signIn, test } from "./harness";

const ADMIN = "/dashboard/admin";

/** Sends to made-up numbers, some of which the sandbox's carrier refuses or never delivers. */
async function send(
  daemon: Daemon,
  customer: Customer,
  count: number,
  more: Record<string, unknown> = {},
): Promise<number> {
  const contacts = Array.from({ length: count }, (_, at) => {
    const network = ["0803", "0802", "0805", "0809"][at % 4];
    const end = at % 10 === 7 ? 9001 + (at % 3) : 1000 + at;
    return `${network}${String(100 + (at % 900))}${end}`;
  }).join(",");
  const form = {
    senderid: "WEBSMS",
    payment_method: "naira",
    message: "We are open on Saturday",
    contacts,
    ...more,
  };
  const kind = "time" in more ? "schedule" : "send";
  const { details } = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    `/api/${kind}-text-sms`,
    customer.token,
    form,
  );
  const confirmed = await daemon.call<{ details: { id: number } }>(
    "POST",
    `/api/confirm-${kind}-text-sms`,
    customer.token,
    { quote_id: details.quote_id },
  );
  return confirmed.details.id;
}

const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString();

test("the first page shows traffic, money, carriers and what waits for a person", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await send(daemon, ada, 60);
  await daemon.call("POST", "/api/request-senderid", ada.token, { sender_ids: ["ACME"] });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(ADMIN);
  await expect(page.getByRole("heading", { name: "Profile Summary" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Messages", exact: true })).toContainText("60", {
    timeout: 30_000,
  });
  await expect(page.getByRole("region", { name: "Carriers" })).toContainText("Up");
  await expect(page.getByRole("region", { name: "Networks" })).toContainText("MTN");
  await expect(page.getByRole("region", { name: "Busiest senders" })).toContainText("WEBSMS");
  await expect(page.getByRole("region", { name: "Money in and out" })).toContainText("₦10,000.00", {
    timeout: 30_000,
  });
  await expectAccessible(page);
  await shoot(page, "admin-home");
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expectAccessible(page);
  await page.getByRole("link", { name: /waits for approval/ }).click();
  await expect(page.getByRole("cell", { name: "ACME", exact: true })).toBeVisible();
});

test("sender IDs are approved, rejected with a reason, one by one and together", async ({ page, daemon }) => {
  const bola = await daemon.customer();
  await daemon.call("POST", "/api/request-senderid", bola.token, {
    sender_ids: ["BOLA", "BOLASHOP", "CBN"],
  });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/approve-sender-id`);
  const bolaRow = page.getByRole("row", { name: /BOLASHOP/ });
  await expect(bolaRow).toContainText(bola.username);
  await expectAccessible(page);
  await bolaRow.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Sender ID approved successfully!")).toBeVisible();
  await expect(bolaRow).toContainText("Approved");
  await expect(bolaRow.getByRole("button", { name: "Approve" })).toBeDisabled();

  const cbn = page.getByRole("row", { name: /CBN/ });
  await cbn.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(dialog).toContainText("Reason is required");
  await expectAccessible(page);
  await dialog.getByLabel("Reason").fill("It is the name of a bank");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Sender ID rejected successfully!")).toBeVisible();
  await expect(cbn).toContainText("It is the name of a bank");
  await expect(cbn.getByRole("button", { name: "Reject" })).toBeDisabled();

  for (const name of [/BOLA /, /CBN/]) {
    await page.getByRole("row", { name }).getByRole("checkbox").check();
  }
  await shoot(page, "admin-sender-ids");
  await page.getByRole("button", { name: "Approve", exact: true }).first().click();
  await expect(dialog).toContainText("CBN, BOLA");
  await dialog.getByRole("button", { name: "Approve 2" }).click();
  await expect(page.getByText("2 sender IDs approved")).toBeVisible();
  await page.getByLabel("Status").first().click();
  await page.getByRole("option", { name: "Disapproved" }).click();
  await expect(page.getByText("Nothing fits")).toBeVisible();
});

test("a virtual number is assigned to the user who asked, and taken away", async ({ page, daemon }) => {
  const chidi = await daemon.customer();
  await daemon.call("POST", "/api/request-virtual-number", chidi.token);
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/approve-virtualNumber`);
  await page.getByRole("button", { name: "Assign a number", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect(dialog).toContainText("Kindly input User's number");
  await expect(dialog).toContainText("Kindly input User's ID");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: `Assign a number to ${chidi.username}` }).click();
  await dialog.getByLabel("Number").fill("07001234567");
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect(page.getByText(`The virtual number was assigned to ${chidi.username}`)).toBeVisible();
  const row = page.getByRole("row", { name: /\+2347001234567/ });
  await expect(row).toContainText("Approved");
  await expectAccessible(page);
  await shoot(page, "admin-virtual-numbers");
  await row.getByRole("button", { name: /^Delete/ }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Virtual Number deleted successfully")).toBeVisible();
  await page.goto(`${ADMIN}/own-numbers`);
  await expect(page.getByText("No own numbers yet")).toBeVisible();
  await expectAccessible(page);
});

test("a campaign is paused, resumed and cancelled, with what that means in numbers", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const dayo = await daemon.customer();
  const sent = await send(daemon, dayo, 30);
  const waits = await send(daemon, dayo, 12, { time: tomorrow(), message: "See you tomorrow" });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/campaign-history`);
  await expect(page.getByRole("row", { name: /See you tomorrow/ })).toContainText("Scheduled");
  await expectAccessible(page);
  await shoot(page, "admin-campaigns");
  await page.getByRole("link", { name: `#${waits}` }).click();
  await expect(page.getByRole("heading", { name: `Campaign ${waits}` })).toBeVisible();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(dialog).toContainText("12 messages will wait until you resume; ₦54.00 stays reserved");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused by an administrator")).toBeVisible();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Cancel campaign" }).click();
  await expect(dialog).toContainText(`goes back to ${dayo.username}'s wallet at once`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(page.getByText("12 messages will not be sent")).toBeVisible();
  await expect(page.getByRole("region", { name: "Outcomes", exact: true })).toContainText("Cancelled");

  await page.goto(`${ADMIN}/campaign-history/${sent}`);
  await expect(page.getByRole("region", { name: "Outcomes", exact: true })).toContainText("Delivered", {
    timeout: 30_000,
  });
  await page.getByLabel("Status", { exact: true }).selectOption("rejected");
  await expect(page.getByRole("table", { name: `Messages of campaign ${sent}` })).toContainText("Rejected");
  await expectAccessible(page);
  await shoot(page, "admin-campaign");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download report" }).click();
  expect((await file).suggestedFilename()).toBe("delivery_reports.csv");
});

test("one number is searched across all customers, and a message explained with its money", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const efe = await daemon.customer();
  await send(daemon, efe, 1, { contacts: "08035550123" });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/messages`);
  await expect(page.getByText("Which number?")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Phone number").fill("0803 555 0123");
  await page.getByRole("button", { name: "Search" }).click();
  const row = page.getByRole("row", { name: /\+2348035550123/ });
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-number");
  await row.getByRole("link", { name: /Explain/ }).click();
  await expect(page.getByRole("heading", { name: "Message to +2348035550123" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Ledger entries" })).toContainText("reserve");
  await expectAccessible(page);
  await shoot(page, "admin-message");
});

test("transactions, payments, margins and webhooks are listed, filtered and taken as a file", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const funmi = await daemon.customer();
  await send(daemon, funmi, 5);
  await daemon.call("POST", "/api/paystack-payment-initiate", funmi.token, { amount: 5000 });
  await daemon.call("POST", "/api/webhooks", funmi.token, {
    url: "https://example.com/talkdrum",
    events: ["campaign.completed"],
  });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/transactions`);
  const rows = page.getByRole("table", { name: "Transactions" });
  await expect(rows).toContainText(funmi.username);
  await expectAccessible(page);
  await shoot(page, "admin-transactions");
  await page.getByRole("searchbox", { name: "Reference, narration or user name" }).fill(funmi.username);
  await expect(page.getByText(/^1-\d of \d$/)).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await file).suggestedFilename()).toBe("transactions.csv");

  await page.goto(`${ADMIN}/payments`);
  const payment = page.getByRole("row", { name: new RegExp(funmi.username) });
  await expect(payment).toContainText("₦5,000.00");
  await expectAccessible(page);
  await shoot(page, "admin-payments");
  await payment.getByRole("button", { name: /^Ask again/ }).click();
  await expect(page.getByText(/^It is /)).toBeVisible();

  await page.goto(`${ADMIN}/margins`);
  await expect(page.getByRole("table", { name: "Margins" })).toContainText("MTN", { timeout: 60_000 });
  await expectAccessible(page);
  await shoot(page, "admin-margins");

  await page.goto(`${ADMIN}/webhooks`);
  await expect(page.getByRole("row", { name: /example\.com\/talkdrum/ })).toContainText("Active");
  await expectAccessible(page);
  await shoot(page, "admin-webhooks");

  for (const [path, empty] of [
    ["payment-events", "No refunds and no disputes"],
    ["unknown-messages", "No message is unknown"],
  ]) {
    await page.goto(`${ADMIN}/${path}`);
    await expect(page.getByText(empty as string)).toBeVisible();
    await expectAccessible(page);
  }
});

test("filters are saved under a name, and one press brings them back", async ({ page, daemon }) => {
  await daemon.customer({ naira: 100 });
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/transactions`);
  await page.getByLabel("Kind").first().click();
  await page.getByRole("option", { name: "Refund of a charge" }).click();
  await expect(page.getByText("Nothing fits")).toBeVisible();
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("menuitem", { name: /^Save current query/ }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Refunds");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(page.getByRole("table", { name: "Transactions" })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("menuitem", { name: /Refunds/ }).click();
  await expect(page.getByText("Nothing fits")).toBeVisible();
  await expect(page).toHaveURL(/refund/);
});
