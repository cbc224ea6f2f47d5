// The lists of the administration over much: 10,000 users, and a campaign of 200,000 messages that the sandbox's carrier
// took. What is asserted is what is shown, never how long it took.
import type { Locator, Page } from "@playwright/test";
import type { Daemon } from "./daemon";
import { test as base, expect, expectAccessible, expectFits, shoot, signIn } from "./harness";

const ADMIN = "/dashboard/admin";
const USERS = 10_000;
const MESSAGES = 200_000;
const CREDITS = 100;
/** One of the campaign, from its midst. */
const RECIPIENT = "08021033333";

const MANY_USERS = `
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS})
INSERT INTO users (name, username, email, role, status, zone, created_at, updated_at)
SELECT 'Person ' || i, 'many' || i, 'many' || i || '@example.com', 'user',
       CASE WHEN i % 5 = 0 THEN 'inactive' ELSE 'active' END, 'Africa/Lagos', 1760000000000 + i, 1760000000000 + i FROM n;
INSERT INTO accounts (kind, currency, user_id, balance_micros)
SELECT 'wallet', currency, id, 0 FROM users, (SELECT 'naira' AS currency UNION SELECT 'espees') WHERE username LIKE 'many%';
COMMIT;
`;

const test = base.extend({ fill: async ({}, use) => use(MANY_USERS) });

let made: Promise<number> | undefined;

/** Has the campaign been sent, once for the tests of this file; answers its id. */
function campaign(daemon: Daemon): Promise<number> {
  made ??= send(daemon);
  return made;
}

async function send(daemon: Daemon): Promise<number> {
  await daemon.setPrices();
  const admin = await daemon.admin();
  const ada = await daemon.customer({ naira: 2_000_000 });
  await daemon.trust(ada);
  for (let at = 0; at < CREDITS; at++) {
    const credit = { amount: 1, payment_ref: `credit-${at}` };
    await daemon.call("POST", `/admin/assign-naira/${ada.id}`, admin, credit);
  }
  const form = new FormData();
  const numbers = Array.from({ length: MESSAGES }, (_, at) => {
    const network = ["0803", "0802", "0805", "0809"][at % 4];
    return `${network}${1_000_000 + Math.trunc(at / 4)}`;
  });
  form.set("senderid", "WEBSMS");
  form.set("payment_method", "naira");
  form.set("message", "We are open on Saturday");
  form.set("file", new Blob([numbers.join("\n")], { type: "text/plain" }), "numbers.txt");
  const quoted = await fetch(`${daemon.url}/api/send-text-sms`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ada.token}` },
    body: form,
  });
  const { details: quote } = (await quoted.json()) as { details: { quote_id: number } };
  const { details } = await daemon.call<{ details: { id: number } }>(
    "POST",
    "/api/confirm-send-text-sms",
    ada.token,
    { quote_id: quote.quote_id },
  );
  await expect
    .poll(() => counts(daemon, details.id).then((it) => it.queued + it.submitting), { timeout: 150_000 })
    .toBe(0);
  return details.id;
}

async function counts(
  daemon: Daemon,
  id: number,
): Promise<Record<"queued" | "submitting" | "rejected", number>> {
  const path = `/api/campaigns/${id}?numbers=0`;
  const answer = await daemon.call<{ campaign: { counts: Awaited<ReturnType<typeof counts>> } }>(
    "GET",
    path,
    await daemon.admin(),
  );
  return answer.campaign.counts;
}

const count = (number: number) => number.toLocaleString("en");

interface Seen {
  table: Locator;
  /** Its pages, and what it says of how many there are. */
  pager: Locator;
  /** Where it says which rows are seen of how many. */
  within: Locator | Page;
}

/** The first page, the last by its link, the one before by its arrow, and on a phone the first again. */
async function turnPages(page: Page, { table, pager, within }: Seen, total: number): Promise<void> {
  const pages = Math.ceil(total / 20);
  const last = total - (pages - 1) * 20;
  const shown = (from: number, to: number) => `${count(from)}-${count(to)} of ${count(total)}`;
  await expect(within.getByText(shown(1, 20), { exact: true })).toBeVisible();
  await expect(table.getByRole("row")).toHaveCount(21);
  await pager.getByRole("button", { name: `Page ${pages}`, exact: true }).click();
  await expect(within.getByText(shown(total - last + 1, total), { exact: true })).toBeVisible();
  await expect(table.getByRole("row")).toHaveCount(1 + last);
  await pager.getByRole("button", { name: "Previous page" }).click();
  await expect(within.getByText(shown(total - last - 19, total - last), { exact: true })).toBeVisible();
  await expect(table.getByRole("row")).toHaveCount(21);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page, page.url());
  await pager.getByRole("button", { name: "Page 1", exact: true }).click();
  await expect(within.getByText(shown(1, 20), { exact: true })).toBeVisible();
  await expect(table.getByRole("row")).toHaveCount(21);
  await expectFits(page, page.url());
  await page.setViewportSize({ width: 1280, height: 860 });
}

const listOf = (page: Page, table: string, pages: string): Seen => ({
  table: page.getByRole("table", { name: table, exact: true }),
  pager: page.getByRole("navigation", { name: pages, exact: true }),
  within: page,
});

test.beforeEach(async ({ page, daemon }) => {
  test.setTimeout(300_000);
  await campaign(daemon);
  await signIn(page, daemon, await daemon.admin());
});

test("ten thousand users are paged through, and one is found among them", async ({ page, daemon }) => {
  await page.goto(`${ADMIN}/manage-users`);
  const { total } = await daemon.call<{ total: number }>(
    "GET",
    "/admin/get-all-active-users?page=1&per_page=1",
    await daemon.admin(),
  );
  expect(total).toBeGreaterThan((USERS * 4) / 5);
  await turnPages(page, listOf(page, "Users", "Pages of Manage Users"), total);
  await page.getByRole("searchbox", { name: "Search by username, email or phone" }).fill("many7777");
  await expect(page.getByText("1-1 of 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /many7777@example\.com/ })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search by username, email or phone" }).fill("");
  await expect(page.getByText(`1-20 of ${count(total)}`, { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Inactive" }).click();
  await expect(page.getByText(`1-20 of ${count(USERS / 5)}`, { exact: true })).toBeVisible();
  // Money is given to one of them all.
  await page.goto(`${ADMIN}/assign-naira`);
  await page.getByLabel("User", { exact: true }).fill("many7777");
  await page.getByRole("option", { name: /^many7777,/ }).click();
  await expect(page.getByLabel("User", { exact: true })).toHaveValue(/many7777/);
});

test("a campaign of hundreds of thousands is read to its last message, and by what became of them", async ({
  page,
  daemon,
}) => {
  const id = await campaign(daemon);
  await page.goto(`${ADMIN}/campaign-history`);
  const row = page.getByRole("row", { name: new RegExp(`#${id}\\b`) });
  await expect(row).toContainText(count(MESSAGES));
  await expect(page.getByText("1-1 of 1", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: `#${id}`, exact: true }).click();
  const messages = page.getByRole("region", { name: "Messages", exact: true });
  const list: Seen = {
    table: page.getByRole("table", { name: `Messages of campaign ${id}` }),
    pager: messages.getByRole("navigation", { name: "Pages" }),
    within: messages,
  };
  await turnPages(page, list, MESSAGES);
  const { rejected } = await counts(daemon, id);
  expect(rejected).toBeGreaterThan(0);
  await messages.getByLabel("Status", { exact: true }).selectOption("rejected");
  await expect(messages.getByText(new RegExp(`^1-\\d+ of ${rejected}$`))).toBeVisible();
  await expect(list.table).not.toContainText("Delivered");
  await expectAccessible(page);
  await shoot(page, "scale-campaign");
});

test("one number is found among all messages", async ({ page }) => {
  await page.goto(`${ADMIN}/messages`);
  await page.getByLabel("Phone number").fill(RECIPIENT);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("1-1 of 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: new RegExp(RECIPIENT.slice(1)) })).toContainText("Delivered");
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page, "number");
});

test("money and the trail of it are paged through, and one entry is found", async ({ page, daemon }) => {
  const total = async (path: string) =>
    (await daemon.call<{ total: number }>("GET", `${path}?page=1&per_page=1`, await daemon.admin())).total;
  await page.goto(`${ADMIN}/transactions`);
  const transactions = listOf(page, "Transactions", "Pages of All Transactions");
  await turnPages(page, transactions, await total("/admin/get-all-transactions"));
  await page.getByRole("searchbox", { name: "Reference, narration or user name" }).fill("credit-77");
  await expect(page.getByText("1-1 of 1", { exact: true })).toBeVisible();
  await page.goto(`${ADMIN}/audit-trail`);
  const trail = listOf(page, "Audit trail", "Pages of Audit Trail");
  await turnPages(page, trail, await total("/admin/audit"));
  await page.getByRole("searchbox", { name: "Search everything" }).fill("credit-77");
  await expect(page.getByText("1-1 of 1", { exact: true })).toBeVisible();
});

test("the first page shows all of it, and the ledger adds up", async ({ page, daemon }) => {
  daemon.check();
  await page.goto(ADMIN);
  await expect(page.getByRole("region", { name: "Messages", exact: true })).toContainText(count(MESSAGES), {
    timeout: 60_000,
  });
  await expect(page.getByText(/The ledger adds up/)).toBeVisible();
  for (const [path, empty] of [
    ["unknown-messages", "No message is unknown"],
    ["inbound-messages", "Nothing came in yet"],
    ["payments", "No payments yet"],
  ] as const) {
    await page.goto(`${ADMIN}/${path}`);
    await expect(page.getByText(empty)).toBeVisible();
  }
});
