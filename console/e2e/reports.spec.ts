import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, snap, test } from "./harness";

interface Send {
  message?: string;
  contacts: string;
  /** Scheduled, where there is one. */
  time?: string;
}

/** Sends by the API, as compose has its own spec; answers the campaign's id. */
async function send(daemon: Daemon, by: Customer, { message = "Hello", ...rest }: Send): Promise<number> {
  const form = { senderid: "WEBSMS", payment_method: "naira", message, ...rest };
  const when = rest.time ? "schedule" : "send";
  const quoted = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    `/api/${when}-text-sms`,
    by.token,
    form,
  );
  const { quote_id } = quoted.details;
  const sent = await daemon.call<{ details: { id: number } }>(
    "POST",
    `/api/confirm-${when}-text-sms`,
    by.token,
    {
      quote_id,
    },
  );
  return sent.details.id;
}

/** Waits until nothing is left to send. */
async function completed(daemon: Daemon, by: Customer, id: number): Promise<void> {
  await expect(async () => {
    const { campaign } = await daemon.call<{ campaign: { status: string; counts: Record<string, number> } }>(
      "GET",
      `/api/campaigns/${id}`,
      by.token,
    );
    expect(campaign.status).toBe("completed");
    expect(campaign.counts.submitting).toBe(0);
  }).toPass({ timeout: 20_000 });
}

// By the last four digits: 9001 is rejected, 9002 undelivered, 9003 expired, 9004 has no receipt.
const MIXED = "08031230001,08051230001,08021239001,08091239002,08031239003,08051239004,+14155550100";

test("a user who has sent nothing is led to compose, in each list", async ({ page, daemon }) => {
  await signInAs(page, daemon, await daemon.customer());
  await page.goto("/dashboard/sent-messages");
  await expect(page.getByText("No Text messages yet")).toBeVisible();
  await page.getByRole("tab", { name: "VCard" }).click();
  await expect(page).toHaveURL(/type=vcard/);
  await expect(page.getByRole("link", { name: "Send a message" })).toHaveAttribute(
    "href",
    "/dashboard/compose-sms",
  );
  await expectAccessible(page);
  await shoot(page, "sent-messages-empty");
  await page.goto("/dashboard/failed-messages");
  await expect(page.getByText("Nothing has failed")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/dashboard/delivery-reports");
  await expect(page.getByText("No campaigns yet")).toBeVisible();
  await page.goto("/dashboard/messages");
  await expect(page.getByText("Which number?")).toBeVisible();
  await expectAccessible(page);
});

test("a campaign is opened, understood, exported, and what failed is sent again", async ({
  page,
  daemon,
}) => {
  test.slow(); // Many pages, each looked at four times.
  await daemon.setPrices();
  const ada = await daemon.customer();
  const id = await send(daemon, ada, { message: "Sale on Saturday, 20% off everything.", contacts: MIXED });
  await completed(daemon, ada, id);
  await signInAs(page, daemon, ada);

  await page.goto("/dashboard/sent-messages");
  await expect(page.getByRole("tab")).toHaveText([
    "Text",
    "Flash",
    "Unicode",
    "WAP",
    "VCard",
    "All",
    "Scheduled",
  ]);
  await expect(page.getByText("+234 803 123 0001 and 6 more")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "sent-messages");
  await page.getByRole("link", { name: "Sale on Saturday, 20% off everything." }).click();

  await expect(page.getByRole("heading", { name: `Campaign ${id}` })).toBeVisible();
  await expect(page.getByRole("link", { name: "Sent Messages" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("nothing is left to send, and 1 receipt is awaited")).toBeVisible();
  const statuses = page.getByRole("table", { name: "Messages by status" });
  await expect(statuses.getByRole("row", { name: /Delivered.*3.*42\.9%/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Outcomes by network" })).toContainText("MTN");
  await expect(page.getByRole("table", { name: "Reasons" })).toContainText("The carrier refused the message");
  const cost = page.getByRole("region", { name: "Cost" });
  await expect(cost).toContainText("₦72.00");
  await expect(cost).toContainText("₦67.50");
  await expectAccessible(page);
  await shoot(page, "campaign");

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download report" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("delivery_reports.csv");
  expect(readFileSync(await file.path(), "utf8")).toContain("2348021239001,rejected,");

  // A reason leads to its own messages, and its label back to all of the status.
  const all = page.getByRole("table", { name: `Messages of campaign ${id}` });
  await page.getByRole("button", { name: /^List the rejected messages: The carrier refused/ }).click();
  await expect(all.getByRole("row")).toHaveCount(2);
  await expect(all).toContainText("+234 802 123 9001");
  await expect(page).toHaveURL(/status=rejected&reason=The\+carrier/);
  await page.getByRole("button", { name: /list all that are rejected/ }).click();
  await expect(page).not.toHaveURL(/reason=/);

  // One message: why it is where it is, and its money.
  await page.getByLabel("Status", { exact: true }).selectOption("failed");
  await expect(all.getByRole("row")).toHaveCount(4);
  await page.getByLabel("Find a number").fill("0802 123 9001");
  await expect(all.getByRole("row")).toHaveCount(2);
  await all.getByRole("link", { name: "+234 802 123 9001" }).click();
  await expect(page.getByText("The carrier refused it; 4.5 Naira for 1 page was refunded.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Ledger entries" })).toContainText("Refunded");
  await expectAccessible(page);
  await shoot(page, "message-why");
  await page.goBack();

  // Resending has its own quote.
  await page.getByRole("button", { name: "Resend failed" }).click();
  const dialog = page.getByRole("dialog", { name: "Send the failed messages again?" });
  await expect(dialog).toContainText("3 messages of campaign");
  await expect(dialog).toContainText("₦13.50");
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await shoot(page, "campaign-resend", false);
  await dialog.getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByText("SMS Sent")).toBeVisible();
  await expect(page.getByRole("heading", { name: `Campaign ${id + 1}` })).toBeVisible();
  await expect(page.getByText("3 messages: nothing is left to send")).toBeVisible();
});

test.describe("what was sent again", () => {
  test("is not sent a third time", async ({ page, daemon }) => {
    await daemon.setPrices();
    const ben = await daemon.customer();
    const id = await send(daemon, ben, { contacts: "08021239001,08031230001" });
    await completed(daemon, ben, id);
    await signInAs(page, daemon, ben);
    await page.goto(`/dashboard/campaigns/${id}`);
    await page.getByRole("button", { name: "Resend failed" }).click();
    await page.getByRole("button", { name: "Yes, Proceed" }).click();
    await expect(page.getByRole("heading", { name: `Campaign ${id + 1}` })).toBeVisible();
    await page.goto(`/dashboard/campaigns/${id}`);
    await expect(page.getByRole("button", { name: "Download report" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Resend failed" })).toBeHidden();
  });
});

test("a campaign is paused, resumed and cancelled, each in numbers", async ({ page, daemon }) => {
  test.slow();
  await daemon.setPrices();
  const chi = await daemon.customer();
  const id = await send(daemon, chi, { contacts: "08031230001,08031230002", time: nextYear() });
  await signInAs(page, daemon, chi);
  await page.goto(`/dashboard/campaigns/${id}`);
  await expect(page.getByText(/2 messages will go out at \d{4}-/)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("dialog")).toContainText(
    "2 messages will wait until you resume; ₦9.00 stays reserved",
  );
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused: 2 messages of 2 wait until you resume.")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "campaign-paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Resumed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Cancel campaign" }).click();
  await expect(page.getByRole("dialog")).toContainText("2 messages will not be sent, and ₦9.00 goes back");
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await shoot(page, "campaign-cancel", false);
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(
    page.getByText("Cancelled: 2 messages will not be sent, 9 Naira went back to the wallet"),
  ).toBeVisible();
  await expect(page.getByText("Cancelled: 2 messages of 2 were not sent.")).toBeVisible();
  await expect(page.getByLabel("Balances")).toContainText("₦10,000.00");
});

test("a large campaign is watched as it goes, and ends by itself", async ({ page, daemon }) => {
  test.slow();
  await daemon.setPrices();
  const dayo = await daemon.customer({ naira: 200_000 });
  await daemon.trust(dayo);
  const contacts = Array.from({ length: 20_000 }, (_, n) => `0803${2_000_000 + n}`).join(",");
  await signInAs(page, daemon, dayo);
  const admin = await daemon.admin();
  // The first large send of an account would wait for an administrator,
  await daemon.call("PUT", `/admin/users/${dayo.id}/limits`, admin, { proven: true });
  // and the carrier waits until the page looks: it would be through before.
  await daemon.call("POST", "/admin/carriers/sandbox/pause", admin, { reason: "The page looks first" });
  const id = await send(daemon, dayo, { contacts });
  await page.goto(`/dashboard/campaigns/${id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(/of 20,000 messages handed to the carrier/)).toBeVisible();
  await daemon.call("POST", "/admin/carriers/sandbox/resume", admin, { reason: "" });
  await expect(page.getByText(/20,000 messages: nothing is left to send/)).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("slider", { name: /Outcomes over time, a column for/ })).toBeVisible({
    timeout: 60_000,
  });
  await page.getByText("The same as a table").click();
  await expect(page.getByRole("table", { name: "Outcomes over time" })).toBeVisible();
  // What is counted behind the figures of the whole has come up with them.
  await expect(page.getByRole("table", { name: "Outcomes by network" })).toContainText("19,992", {
    timeout: 20_000,
  });
  await expect(page.getByText("A moment behind, counted again soon")).toBeHidden();
  await expectAccessible(page);
  await shoot(page, "campaign-large");
});

test("delivery reports by dates and kind, and one file of all", async ({ page, daemon }) => {
  test.slow();
  await daemon.setPrices();
  const efe = await daemon.customer();
  for (const contacts of [MIXED, "08031230001", "08021239001,08031230001"]) {
    await completed(daemon, efe, await send(daemon, efe, { contacts }));
  }
  await signInAs(page, daemon, efe);
  await page.goto("/dashboard/delivery-reports");
  const table = page.getByRole("table", { name: "Delivery reports, all kinds" });
  await expect(table.getByRole("row")).toHaveCount(4);
  await expectAccessible(page);
  await shoot(page, "delivery-reports");
  // Nor is anything cut off on a tablet, held either way.
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const over = () =>
      page
        .getByRole("region", { name: "Delivery reports, all kinds" })
        .evaluate((it) => it.scrollWidth - it.clientWidth);
    await expect.poll(over).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole("button", { name: "Today" }).click();
  await expect(table.getByRole("row")).toHaveCount(4);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("delivery_reports.csv");
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(1 + 2 + 1 + 7);
  expect(lines.filter((line) => line.startsWith("campaign_id,to,"))).toHaveLength(1);
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByText("Nothing was confirmed in this period")).toBeVisible();
  await page.getByRole("button", { name: "See all dates" }).click();
  await page.getByRole("tab", { name: "Flash" }).click();
  await expect(page.getByText("No Flash campaigns yet")).toBeVisible();

  await page.getByRole("link", { name: "Failed messages" }).click();
  const failed = page.getByRole("table", { name: "Failed messages" });
  await expect(failed.getByRole("row")).toHaveCount(5);
  await expect(failed).toContainText("The phone was switched off or out of reach");
  await expectAccessible(page);
  await shoot(page, "failed-messages");

  await page.getByRole("link", { name: "Find a number" }).click();
  await page.getByLabel("Phone number").fill("0803 123 0001");
  const found = page.getByRole("table", { name: "Messages to the number" });
  await expect(found.getByRole("row")).toHaveCount(4);
  await expectAccessible(page);
  await shoot(page, "find-number");
});

test("a card and a WAP push stand under their own tabs, by what they are", async ({ page, daemon }) => {
  await daemon.setPrices();
  const gbenga = await daemon.customer();
  const to = { senderid: "WEBSMS", payment_method: "naira", contacts: "08031230001" };
  const forms = {
    vcard: {
      first_name: "Ada",
      last_name: "Obi",
      company: "Talkdrum",
      job_title: "Founder",
      telephone: "08031230001",
      email: "ada@example.com",
    },
    "wap-push": { wap_title: "Our prices", wap_url: "https://example.com/prices" },
    unicode: { msg: "Ẹ káàbọ̀" },
  };
  for (const [kind, form] of Object.entries(forms)) {
    const quoted = await daemon.call<{ details: { quote_id: number } }>(
      "POST",
      `/api/send-${kind}-sms`,
      gbenga.token,
      { ...to, ...form },
    );
    await daemon.call("POST", `/api/confirm-send-${kind}-sms`, gbenga.token, {
      quote_id: quoted.details.quote_id,
    });
  }
  await signInAs(page, daemon, gbenga);
  await page.goto("/dashboard/sent-messages?type=vcard");
  await expect(page.getByRole("link", { name: "Card of Ada Obi" })).toBeVisible();
  await page.getByRole("tab", { name: "WAP" }).click();
  await page.getByRole("link", { name: "Our prices" }).click();
  await expect(page.getByRole("region", { name: "What was sent" })).toContainText(
    "https://example.com/prices",
  );
  await page.goBack();
  await page.getByRole("tab", { name: "Unicode" }).click();
  await expect(page.getByRole("link", { name: "Ẹ káàbọ̀" })).toBeVisible();
});

test.describe("a number that is none", () => {
  test.use({ allowed: [/400|404/] });

  test("is refused in words, and so is another's campaign", async ({ page, daemon }) => {
    const fola = await daemon.customer();
    await signInAs(page, daemon, fola);
    await page.goto("/dashboard/messages?number=0803");
    await expect(page.getByText("'0803' is no number")).toBeVisible();
    await expectAccessible(page);
    await page.goto("/dashboard/campaigns/999999");
    await expect(page.getByText("There is no such campaign")).toBeVisible();
    await page.goto("/dashboard/messages/999999");
    await expect(page.getByText("There is no such message")).toBeVisible();
    await expectAccessible(page);
  });
});

function nextYear(): string {
  const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  return `${day} 10:00`;
}

/** The tip of a chart is within the screen, and nothing cuts it off. */
async function expectWhole(tip: Locator): Promise<void> {
  await expect(tip).toBeVisible();
  const cuts = await tip.evaluate((it) => {
    const { left, top, right, bottom } = it.getBoundingClientRect();
    const found: string[] = [];
    const within = (name: string, box: { left: number; top: number; right: number; bottom: number }) => {
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)
        found.push(name);
    };
    if (left < 0 || right > document.documentElement.clientWidth) found.push("the screen");
    for (let one = it.parentElement; one && one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflow !== "visible") within(one.className, one.getBoundingClientRect());
    }
    // Its own words fit, too.
    if (it.scrollWidth > it.clientWidth) found.push("itself");
    return found;
  });
  expect(cuts).toEqual([]);
}

test("a chart is read by pointer and by keyboard: a tip has the figures, and goes", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const gbenga = await daemon.customer();
  const id = await send(daemon, gbenga, { contacts: MIXED });
  await completed(daemon, gbenga, id);
  await signInAs(page, daemon, gbenga);
  const tip = page.locator("[data-tip]");
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 860 });
    await page.goto("/dashboard");
    const days = page.getByRole("slider", { name: /delivered and \d+ failed in 14 days/ });
    await days.locator("[data-bar]").last().hover();
    await expect(tip).toContainText(/^\d{4}-\d\d-\d\dDelivered\d+Failed[1-9]/);
    await expectWhole(tip);
    await snap(page, `chart-tip-pointer-${width}`, false);
    const today = (await tip.textContent())?.slice(0, 10) ?? "";
    await page.mouse.move(1, 1);
    await expect(tip).toHaveCount(0);

    await days.focus();
    await page.keyboard.press("End");
    await expect(tip).toContainText(today);
    await page.keyboard.press("ArrowLeft");
    await expect(tip).toContainText("Delivered0Failed0");
    await expect(tip).not.toContainText(today);
    await expectWhole(tip);
    await expect(days).toHaveAttribute("aria-valuenow", "13");
    for (let step = 0; step < 13; step++) {
      await page.keyboard.press("ArrowLeft");
      await expectWhole(tip);
    }
    await expect(days).toHaveAttribute("aria-valuenow", "1");
    await page.keyboard.press("Escape");
    await expect(tip).toHaveCount(0);
    await page.keyboard.press("ArrowRight");
    await expect(tip).toHaveCount(1);
    await page.keyboard.press("Tab");
    await expect(tip).toHaveCount(0);

    await page.goto(`/dashboard/campaigns/${id}`);
    const networks = page.getByRole("slider", { name: /Outcomes by network/ });
    await networks.locator("[data-bar]").first().hover();
    await expect(tip).toContainText(/\(\d+(\.\d)?%\)/);
    await expectWhole(tip);
    await page.mouse.move(1, 1);
    await networks.focus();
    await page.keyboard.press("Home");
    await expectWhole(tip);
    await snap(page, `chart-tip-keyboard-${width}`, false);
    const last = await tip.textContent();
    await page.keyboard.press("ArrowUp");
    await expect(tip).not.toHaveText(last ?? "");
    await expectWhole(tip);
    await page.keyboard.press("Escape");
    await expect(tip).toHaveCount(0);
  }
});
