// What needs a carrier of its own instead of the sandbox's: an unknown message, a carrier that refuses all, and a message from
// a handset. Also the webhook log, which needs a receiver that fails.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Customer, Daemon } from "./daemon";
import { test as base, expect, expectAccessible, shoot, signIn, signInAs } from "./harness";
import { openAndLeave } from "./keyboard";
import { Smsc } from "./smsc";

const ADMIN = "/dashboard/admin";

const test = base.extend<object, { smsc: Smsc }>({
  smsc: [
    async ({}, use) => {
      const smsc = await Smsc.start();
      await use(smsc);
      smsc.stop();
    },
    { scope: "worker" },
  ],
  config: async ({ smsc }, use) => use(`${smsc.config}\n[webhooks]\nallow_private = true\n`),
});

async function send(daemon: Daemon, by: Customer, contacts: string): Promise<number> {
  const form = { senderid: "WEBSMS", payment_method: "naira", message: "Hello", contacts };
  const quoted = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/send-text-sms",
    by.token,
    form,
  );
  const { quote_id } = quoted.details;
  const sent = await daemon.call<{ details: { id: number } }>(
    "POST",
    "/api/confirm-send-text-sms",
    by.token,
    { quote_id },
  );
  return sent.details.id;
}

async function unknown(daemon: Daemon): Promise<number> {
  const answer = await daemon.call<{ total: number }>("GET", "/admin/unknown-messages", await daemon.admin());
  return answer.total;
}

test("messages over which the carrier fell silent are settled by a person, each way in words", async ({
  page,
  daemon,
  smsc,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer({ naira: 100 });
  smsc.silent = true;
  const first = await send(daemon, ada, "08031230001,08031230002,08031230003");
  await expect.poll(() => unknown(daemon), { timeout: 60_000 }).toBe(3);
  smsc.silent = false;
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/unknown-messages`);
  const table = page.getByRole("table", { name: "Unknown messages" });
  await expect(table.getByRole("row")).toHaveCount(4);
  await expect(table).toContainText(ada.username);
  await expectAccessible(page);
  await shoot(page, "admin-unknown");

  // One is refunded.
  await table
    .getByRole("row", { name: /2348031230002/ })
    .getByRole("checkbox")
    .check();
  const settle = page.getByRole("button", { name: "Settle", exact: true });
  await openAndLeave(page, settle);
  await settle.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Settle 1 message");
  await expect(dialog.getByRole("button", { name: "Settle" })).toBeDisabled();
  await expectAccessible(page);
  await shoot(page, "admin-unknown-settle", false);
  await dialog.getByRole("radio", { name: /^They were not sent/ }).check();
  await dialog.getByRole("button", { name: "Settle" }).click();
  await expect(table.getByRole("row")).toHaveCount(3);
  const purse = () => daemon.call<Record<string, number>>("GET", "/api/get-espee-balance", ada.token);
  expect((await purse()).paystack_balance).toBe(100 - 2 * 4.5);

  // The rest of the campaign was sent, says the carrier.
  await page.getByLabel("Campaign", { exact: true }).fill(String(first));
  await page.getByRole("button", { name: `Settle all of campaign #${first}` }).click();
  await expect(dialog).toContainText("Settle 2 messages");
  await dialog.getByRole("radio", { name: /^They were sent/ }).check();
  await dialog.getByRole("button", { name: "Settle" }).click();
  await expect(page.getByText("Nothing fits").or(page.getByText("No message is unknown"))).toBeVisible();
  expect(await unknown(daemon)).toBe(0);
  expect((await purse()).paystack_reserved).toBe(0);
  await page.goto(`${ADMIN}/audit-trail`);
  await expect(page.getByRole("row", { name: /Unknown messages settled/ }).first()).toContainText("admin");
});

test("a carrier that refuses all that it is given says so and why, until a test is taken", async ({
  page,
  daemon,
  smsc,
}) => {
  await daemon.setPrices();
  const bola = await daemon.customer({ naira: 1000 });
  smsc.refuses = 0x0d; // ESME_RBINDFAIL
  await send(daemon, bola, Array.from({ length: 25 }, (_, n) => 8031231000 + n).join(","));
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/carriers`);
  const card = page.getByRole("region", { name: "Carrier own", exact: true });
  await expect(card).toContainText("Refusing", { timeout: 60_000 });
  await expect(card).toContainText("It refuses every message: bind failed");
  await expectAccessible(page);
  await shoot(page, "admin-carrier-refusing");
  await page.goto(ADMIN);
  await expect(page.getByRole("main")).toContainText("Refusing");
  await expect(page.getByRole("main")).toContainText("bind failed");
  await shoot(page, "admin-home-refusing");

  smsc.refuses = 0;
  await page.goto(`${ADMIN}/carriers`);
  await card.getByRole("button", { name: "Send a test over own" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("To").fill("08031234567");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog).toContainText(/Submitted|Sent/, { timeout: 30_000 });
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(card).not.toContainText("Refusing", { timeout: 30_000 });
  await expect(card).not.toContainText("bind failed");
});

test("what handsets send is read by the administration and by whom it concerns, and a STOP opts out", async ({
  page,
  daemon,
  smsc,
  browser,
}) => {
  const bola = await daemon.customer({});
  await daemon.call("POST", "/api/request-virtual-number", bola.token);
  await daemon.call("POST", `/admin/approve-virtual-number/${bola.id}`, await daemon.admin(), {
    virtual_num: "2342012345678",
  });
  smsc.fromHandset("2348031234567", "2342012345678", "When do you open?");
  smsc.fromHandset("2348031234568", "2342012345678", "STOP");
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/inbound-messages`);
  const stop = page.getByRole("row", { name: /2348031234568/ });
  await expect(stop).toContainText("Opted out", { timeout: 40_000 });
  await expect(page.getByRole("row", { name: /When do you open/ })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-inbound");
  await page.getByRole("searchbox", { name: "Number or text" }).fill("open");
  await expect(stop).toBeHidden();

  const context = await browser.newContext({ baseURL: daemon.url });
  const hers = await context.newPage();
  await signInAs(hers, daemon, bola);
  await hers.goto("/dashboard/delivery-reports");
  await hers.getByRole("link", { name: "Replies" }).click();
  await expect(hers.getByRole("row", { name: /803 123 4568/ })).toContainText("Opted out");
  await expectAccessible(hers);
  await shoot(hers, "replies");
  await hers.getByRole("link", { name: "Opt-outs" }).click();
  await expect(hers.getByRole("row", { name: /803 123 4568/ })).toContainText("STOP, or key 9");
  await context.close();
});

test("a webhook that failed is read in its log and delivered again", async ({ page, daemon }) => {
  let answer = 500;
  const heard: string[] = [];
  const receiver = createServer((request, response) => {
    heard.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(answer).end());
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  try {
    const chidi = await daemon.customer({});
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { webhook } = await daemon.call<{ webhook: { id: number } }>("POST", "/api/webhooks", chidi.token, {
      url,
      events: ["campaign.completed"],
    });
    await daemon.call("POST", `/api/webhooks/${webhook.id}/test`, chidi.token);
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await signIn(page, daemon, await daemon.admin());
    await page.goto(`${ADMIN}/webhooks`);
    await expect(page.getByRole("row", { name: new RegExp(chidi.username) })).toContainText(url);
    await page
      .getByRole("row", { name: new RegExp(chidi.username) })
      .getByRole("link")
      .first()
      .click();
    await page.goto(`${ADMIN}/webhooks/${webhook.id}`);
    const row = page.getByRole("row", { name: /webhook\.test/ });
    await expect(row).toContainText("500");
    await expectAccessible(page);
    await shoot(page, "admin-webhook");
    // Not before: what failed is tried again by itself too.
    answer = 200;
    const before = heard.length;
    await row.getByRole("button", { name: /^Deliver again/ }).click();
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(heard.at(-1)).toBe(heard[0]);
    await page.reload();
    await expect(row).toContainText("Delivered");
  } finally {
    receiver.close();
  }
});

test("what a user may spend in a day is limited, and users are disabled and activated together", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const dayo = await daemon.customer({ naira: 100 });
  const efe = await daemon.customer({});
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/manage-users/user/${dayo.id}`);
  const limits = page.getByRole("region", { name: "Limits" });
  await limits.getByRole("button", { name: "Change limits" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Naira a day").selectOption("own");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await expect(dialog).toContainText("Amount is required");
  await dialog.getByLabel("At most in Naira").fill("9");
  await expectAccessible(page);
  await shoot(page, "admin-user-limits", false);
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await expect(limits).toContainText("₦0.00 of ₦9.00 confirmed today");
  await expectAccessible(page);
  await send(daemon, dayo, "08031230011,08031230012");
  await expect(send(daemon, dayo, "08031230013")).rejects.toThrow(/limit|day/);
  await page.reload();
  await expect(limits).toContainText("₦9.00 of ₦9.00 confirmed today");

  await page.goto(`${ADMIN}/manage-users`);
  for (const who of [dayo, efe]) {
    await page
      .getByRole("row", { name: new RegExp(who.username) })
      .getByRole("checkbox")
      .check();
  }
  await page.getByRole("toolbar").getByRole("button", { name: "Disable" }).click();
  await expect(dialog).toContainText(`${efe.username}`);
  await dialog.getByRole("button", { name: "Disable 2" }).click();
  await expect(page.getByText("2 users disabled")).toBeVisible();
  await page.getByRole("tab", { name: "Inactive" }).click();
  await page
    .getByRole("row", { name: new RegExp(dayo.username) })
    .getByRole("checkbox")
    .check();
  await page.getByRole("toolbar").getByRole("button", { name: "Activate" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Activate 1" }).click();
  await expect(page.getByText("1 user activated")).toBeVisible();
});
