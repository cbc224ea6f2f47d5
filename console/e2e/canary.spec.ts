// A few get it first. The sandbox delivers nothing to numbers that end in 9002, so that a list of them is a bad one: what
// fails is known as soon as its receipts come, long before the wait is over.
import type { Page } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

interface Sent {
  campaign: {
    status: string;
    held?: string | null;
    reserved: number;
    captured: number;
    released: number;
    counts: Record<string, number>;
    canary?: { state: string; size: number; delivered: number } | null;
  };
}

/** Twelve numbers, all of one end. */
const numbers = (end: string) => Array.from({ length: 12 }, (_, at) => `0803${100 + at}${end}`).join(", ");

const one = async (daemon: Daemon, who: Customer, id: number) =>
  (await daemon.call<Sent>("GET", `/api/campaigns/${id}`, who.token)).campaign;

/** Sends to four of twelve first, by the API; answers the campaign's id. */
async function send(daemon: Daemon, who: Customer, contacts: string, message: string): Promise<number> {
  const form = { senderid: "WEBSMS", payment_method: "naira", message, contacts, canary: "4" };
  const quoted = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/send-text-sms",
    who.token,
    form,
  );
  const { quote_id } = quoted.details;
  const sent = await daemon.call<{ details: { id: number } }>(
    "POST",
    "/api/confirm-send-text-sms",
    who.token,
    { quote_id },
  );
  return sent.details.id;
}

const first = (page: Page) => page.getByRole("region", { name: "First recipients" });

test("a bad list stops after its first recipients, and its owner sends the rest all the same", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page.getByLabel("Recipients", { exact: true }).fill(numbers("9002"));
  await page.getByRole("textbox", { name: "Message" }).fill("We are open on Saturday");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("switch", { name: "Send to a few first" }).check();
  await expect(page.getByLabel("Must be delivered")).toHaveValue("80");
  await expectAccessible(page);
  await shoot(page, "canary-compose");
  // What cannot be is said at its field.
  const size = page.getByLabel("How many first");
  await size.fill("few");
  const submit = page.getByRole("button", { name: "Send message" });
  await submit.click();
  await expect(size).toHaveAccessibleDescription(
    "Say how many get it first: 1 to 4,096, or a share from 1% to 99%",
  );
  await size.fill("4");
  await submit.click();
  const asked = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(asked).toContainText(
    "First recipients4 people get it first; the rest waits until 4 of these messages were delivered, at most 10 minutes after the last of them was submitted.",
  );
  await expectAccessible(page);
  await shoot(page, "canary-quote", false);
  await asked.getByRole("button", { name: "Yes, Proceed" }).click();

  const sent = page.getByRole("region", { name: "What you sent" });
  await expect(
    sent.getByRole("heading", { name: "Your campaign has stopped: you decide how it goes on" }),
  ).toBeVisible({ timeout: 40_000 });
  await expect(sent).toContainText(
    "Too few got through: 0 of the first 4 messages were delivered, and 4 were needed. Nothing more is sent.",
  );
  await expectAccessible(page);
  await shoot(page, "canary-stopped");
  await sent.getByRole("link", { name: /^Open campaign/ }).click();
  await expect(first(page)).toContainText("Not passed");
  await expect(page.getByText("Paused: 8 messages of 12 wait until you resume.")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "canary-campaign");

  await page.getByRole("button", { name: "Resume" }).click();
  const sure = page.getByRole("dialog", { name: "Resume this campaign?" });
  await expect(sure).toContainText("0 of the first 4 messages were delivered, and 4 were needed.");
  await expect(sure).toContainText("8 messages will go out now.");
  await sure.getByRole("button", { name: "Resume" }).click();
  await expect(first(page)).toContainText("Sent all the same");
  await expect(page.getByText("12 messages: nothing is left to send and no receipt is awaited.")).toBeVisible(
    {
      timeout: 40_000,
    },
  );
  await expect(
    page.getByRole("table", { name: "Messages by status" }).getByRole("row", { name: /^Undelivered/ }),
  ).toContainText("12");
  await expect(page.getByLabel("Balances")).toContainText("₦9,946.00");
  await expectAccessible(page);
});

test("another bad list is cancelled, and what was not sent is refunded", async ({ page, daemon }) => {
  await daemon.setPrices();
  const bola = await daemon.customer();
  const id = await send(daemon, bola, numbers("9002"), "We are closed on Sunday");
  await expect.poll(async () => (await one(daemon, bola, id)).held, { timeout: 40_000 }).toBe("canary");
  await signInAs(page, daemon, bola);
  await page.goto("/dashboard/sent-messages");
  const row = page.getByRole("row", { name: /We are closed on Sunday/ });
  await expect(row).toContainText("waits for you");
  await expectAccessible(page);
  await row.getByRole("link", { name: "We are closed on Sunday" }).click();
  await expect(first(page).getByRole("alert")).toContainText("cancel refunds what was not sent");
  await page.getByRole("button", { name: "Cancel campaign" }).click();
  const sure = page.getByRole("dialog", { name: "Cancel this campaign?" });
  await expect(sure).toContainText("8 messages will not be sent");
  await sure.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(page.getByText("Cancelled: 8 messages of 12 were not sent.")).toBeVisible();
  // Four went out, at ₦4.50 each.
  await expect(page.getByLabel("Balances")).toContainText("₦9,982.00");
  await expect(first(page)).not.toContainText("Resume sends the rest");
  await expectAccessible(page);
  const { counts, ...after } = await one(daemon, bola, id);
  expect(counts).toMatchObject({ cancelled: 8, queued: 0 });
  expect(after).toMatchObject({ status: "cancelled", reserved: 0, captured: 18, released: 36 });
  daemon.check();
});

test("after a good list's first recipients the rest goes out by itself", async ({ page, daemon }) => {
  await daemon.setPrices();
  const chi = await daemon.customer();
  const id = await send(daemon, chi, numbers("1234"), "We are open on Monday");
  await signInAs(page, daemon, chi);
  await page.goto(`/dashboard/campaigns/${id}`);
  await expect(first(page)).toContainText("Passed", { timeout: 40_000 });
  await expect(page.getByText("12 messages: nothing is left to send and no receipt is awaited.")).toBeVisible(
    {
      timeout: 40_000,
    },
  );
  expect((await one(daemon, chi, id)).counts.delivered).toBe(12);
  await expectAccessible(page);
});

test.describe(() => {
  // What is no number is refused at its field.
  test.use({ allowed: async ({}, use) => use([/400 \(Bad Request\)/]) });

  test("a number of one's own gets it alone first, is charged as one more, and lets the rest go", async ({
    page,
    daemon,
  }) => {
    await daemon.setPrices();
    const dayo = await daemon.customer();
    await signInAs(page, daemon, dayo);
    await page.goto("/dashboard/compose-sms");
    await page.getByLabel("Recipients", { exact: true }).fill(numbers("1234"));
    await page.getByRole("textbox", { name: "Message" }).fill("We are open on Tuesday");
    await page.getByRole("radio", { name: /Naira balance/ }).check();
    await page.getByRole("switch", { name: "Send to a few first" }).check();
    await page.getByLabel("How many first").fill("");
    const own = page.getByLabel("Your own numbers");
    await own.fill("me");
    const submit = page.getByRole("button", { name: "Send message" });
    await submit.click();
    await expect(own).toHaveAccessibleDescription(/'me' is no number/);
    await expectAccessible(page);
    await shoot(page, "canary-seeds-compose");
    await own.fill("0805 123 4567");
    await submit.click();
    const asked = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
    await expect(asked).toContainText("1 number of your own gets it first; the rest waits");
    await shoot(page, "canary-seeds-quote", false);
    await asked.getByRole("button", { name: "Yes, Proceed" }).click();
    const sent = page.getByRole("region", { name: "What you sent" });
    await sent.getByRole("link", { name: /^Open campaign/ }).click();
    await expect(first(page)).toContainText("Passed", { timeout: 40_000 });
    await expect(
      page.getByText("13 messages: nothing is left to send and no receipt is awaited."),
    ).toBeVisible({
      timeout: 40_000,
    });
    await expectAccessible(page);
  });
});
