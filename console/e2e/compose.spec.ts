import type { Locator, Page } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, snap, test } from "./harness";

interface Campaigns {
  campaigns: { id: number; msg: string; sms_type: string; status: string; total_contacts: number }[];
  total: number;
}

const campaigns = (daemon: Daemon, who: Customer) =>
  daemon.call<Campaigns>("GET", "/api/get-campaign-history", who.token);

async function open(
  page: Page,
  daemon: Daemon,
  money?: { naira?: number; espees?: number },
): Promise<Customer> {
  await daemon.setPrices();
  const customer = await daemon.customer(money);
  await signInAs(page, daemon, customer);
  await page.goto("/dashboard/compose-sms");
  await expect(page.getByRole("heading", { name: "SMS Campaign" })).toBeVisible();
  return customer;
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Confirm Campaign Submission" });

test("a customer writes to a group and pasted numbers, sees every line of the price, sends once, and watches", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  const group = await daemon.call<{ group: { id: number } }>("POST", "/api/create/group", ada.token, {
    group_name: "Choir",
    description: "Sundays",
  });
  for (const phone of ["08031230011", "08021230012", "08051230013"]) {
    await daemon.call("POST", `/api/create/contact/group/${group.group.id}`, ada.token, {
      phone,
      name: "Bola",
    });
  }
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page
    .getByLabel("Recipients", { exact: true })
    .fill("call 0803 123 4567, 08031234567 or 0803123456, 08091234569");
  await expect(page.getByText("2 numbers understood, 1 duplicate left out")).toBeVisible();
  await page.getByText("1 entry that cannot be used").click();
  await expect(page.getByText(/It has nine digits/)).toBeVisible();
  // By keyboard: what is typed finds it, and Enter chooses it.
  const groups = page.getByRole("combobox", { name: "Contact groups" });
  await groups.fill("cho");
  await expect(page.getByRole("option", { name: "Choir 3 contacts" })).toBeVisible();
  await expectAccessible(page);
  await groups.press("ArrowDown");
  await groups.press("Enter");
  await groups.press("Escape");
  await expect(page.getByText("Choir, 3 contacts")).toBeVisible();
  await page
    .getByRole("textbox", { name: "Message" })
    .fill("Dear {name|friend}, practice is at “5” – pay ₦500.");
  await expect(page.getByText("1 page, 1 segment as plain letters (GSM-7)")).toBeVisible();
  await expect(page.getByText(/these are sent in another form/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Message on a phone" })).toContainText(
    'Dear Bola, practice is at "5" - pay N500.',
  );
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expect(page.getByText("₦4.50 to each")).toBeVisible();
  await expect(page.getByText("About ₦22.50 for 5 contacts")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "compose");

  await page.getByRole("button", { name: "Send message" }).click();
  const asked = dialog(page);
  for (const line of [
    "RouteDEFAULT",
    "Sender IDWEBSMS",
    'MessageDear Bola, practice is at "5" - pay N500.',
    "Total Contacts5",
    "Duplicate removed1",
    "Total charge (Naira)₦22.50000",
    "SMS typeText",
    "Campaign StartSending Now",
  ]) {
    await expect(asked).toContainText(line);
  }
  await expect(asked.getByRole("table", { name: "Recipients by network" })).toContainText("MTN");
  await expect(asked).toContainText("1 entry left out");
  await asked.getByText("1 entry left out").click();
  const download = page.waitForEvent("download");
  await asked.getByRole("button", { name: "Download rejects.csv" }).click();
  expect((await download).suggestedFilename()).toBe("rejects.csv");
  await expectAccessible(page);
  await shoot(page, "compose-confirm", false);

  await asked.getByRole("button", { name: "Yes, Proceed" }).dblclick();
  await expect(page.getByText("SMS Sent")).toBeVisible();
  await expect(page.getByRole("region", { name: "What you sent" })).toContainText(
    "5 of 5 messages submitted",
  );
  await expect(page.getByText("Completed")).toBeVisible();
  await expect(page.getByLabel("Recipients", { exact: true })).toHaveValue("");
  await expect(page.getByText("Choir, 3 contacts")).toHaveCount(0);
  await expect(page.getByLabel("Balances")).toContainText("₦9,977.50");
  expect((await campaigns(daemon, ada)).total).toBe(1);
  await page.waitForTimeout(300);
  await expectAccessible(page);
  await shoot(page, "compose-sent");
});

test("on a phone the price and the way to send stay at the lower edge, and cover nothing", async ({
  page,
  daemon,
}) => {
  await open(page, daemon);
  await page.setViewportSize({ width: 360, height: 740 });
  const bar = page.getByRole("group", { name: "Price and sending" });
  await expect(bar).toContainText("Price comes next");
  const edge = () => bar.evaluate((it) => Math.round(window.innerHeight - it.getBoundingClientRect().bottom));
  expect(await edge()).toBe(0);
  await page.getByLabel("Recipients", { exact: true }).fill("08031234567, 08021234568");
  await page.getByRole("textbox", { name: "Message" }).fill("Practice is at five");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expect(bar).toContainText("About ₦9.00for 2 contacts");
  expect(await edge()).toBe(0);
  // One button, last in the form; the page ends above it, and what gets the keyboard is above it, too.
  const send = page.getByRole("button", { name: "Send message" });
  await expect(send).toHaveCount(1);
  const top = () => bar.evaluate((it) => it.getBoundingClientRect().top);
  const trial = page.getByRole("button", { name: "Send a test to me" });
  await page.getByRole("switch", { name: "Send later" }).focus();
  for (let at = 0; at < 12; at++) {
    const bottom = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0);
    expect(bottom).toBeLessThanOrEqual(await top());
    if (await trial.evaluate((it) => it === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(trial).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(send).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const end = await page.locator("main").evaluate((it) => it.getBoundingClientRect().bottom);
  expect(end).toBeLessThanOrEqual(await top());
  await expectAccessible(page);
  await snap(page, "compose-bar-360-light", false);
  // Hidden while the dialog is open, and back with the keyboard at its button.
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  await expect(bar).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(send).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 860 });
  await expect(bar).toHaveCount(0);
  await expect(
    page.getByRole("region", { name: "Price" }).getByRole("button", { name: "Send message" }),
  ).toBeVisible();
});

test("on a phone the price says of how many and how often it is, and covers nothing then either", async ({
  page,
  daemon,
}) => {
  await open(page, daemon);
  await page.setViewportSize({ width: 360, height: 740 });
  const bar = page.getByRole("group", { name: "Price and sending" });
  await page.getByLabel("Recipients", { exact: true }).fill("08031234567, 08021234568, +14155550100");
  await page.getByRole("textbox", { name: "Message" }).fill("Practice is at five");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("switch", { name: "Send later" }).check();
  const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
  await page.getByLabel("Send at").fill(`${day}T09:30`);
  await page.getByRole("button", { name: "Add another time" }).click();
  await page.getByLabel("Send at (2)").fill(`${day}T17:00`);
  const words = "for 3 contacts, 1 of them abroad, 2 times";
  await expect(bar).toContainText(`About ₦108.00${words}`);
  await expect(page.getByRole("region", { name: "Price" })).toContainText(`About ₦108.00 ${words}.`);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const top = await bar.evaluate((it) => it.getBoundingClientRect().top);
  const end = await page.locator("main").evaluate((it) => it.getBoundingClientRect().bottom);
  expect(end).toBeLessThanOrEqual(top);
  await expectAccessible(page);
  await snap(page, "compose-bar-times-360-light", false);
});

test("the rules are told one after the other, in the specification's words", async ({ page, daemon }) => {
  await open(page, daemon);
  const send = page.getByRole("button", { name: "Send message" });
  const told = async (text: string) => {
    await send.click();
    await expect(page.locator(".toast, .notistack-SnackbarContainer").getByText(text).last()).toBeVisible();
  };
  await told("Payment method is required");
  await page.getByRole("radio", { name: /ESPEES/ }).check();
  await told("Recipients are required");
  await page.getByLabel("Recipients", { exact: true }).fill("8031234567");
  await told("Message is required");
  await page.getByRole("button", { name: "WAP push" }).click();
  await told("WAP title and URL are required for WAP push messages");
  await page.getByRole("button", { name: "vCard" }).click();
  await told("All vCard fields are required");
  await page.waitForTimeout(300);
  await expectAccessible(page);
  // What was written is there after a reload.
  await page.reload();
  await expect(page.getByLabel("Recipients", { exact: true })).toHaveValue("8031234567");
  await expect(page.getByRole("button", { name: "vCard" })).toHaveAttribute("aria-pressed", "true");
});

test("each kind of message is counted as the daemon counts it, and sent", async ({ page, daemon }) => {
  test.slow();
  const bola = await open(page, daemon);
  await page.getByRole("radio", { name: /ESPEES/ }).check();
  const kinds: [name: string, type: string, counted: string, fill: () => Promise<void>][] = [
    ["Flash", "flash", "2 pages, 1 segment", () => message("x".repeat(157))],
    ["Unicode", "unicode", "2 pages, 2 segments", () => message("Ẹ kú ọjà 😀 ".repeat(6))],
    [
      "WAP push",
      "wap-push",
      "1 page, 1 segment",
      async () => {
        await page.getByLabel("WAP title").fill("Offers");
        await page.getByLabel("WAP URL").fill("https://www.example.com/a");
      },
    ],
    [
      "vCard",
      "vcard",
      "1 page, 1 segment",
      async () => {
        const card = ["Ada", "Obi", "Talk Ltd", "Engineer", "+2348031234567", "ada@example.com"];
        const labels = ["First name", "Last name", "Company", "Job title", "Telephone", "Email"];
        for (const [at, label] of labels.entries()) await page.getByLabel(label).fill(card[at] ?? "");
      },
    ],
  ];
  const message = (text: string) => page.getByRole("textbox", { name: "Message" }).fill(text);
  for (const [at, [name, type, counted, fill]] of kinds.entries()) {
    await page.getByLabel("Recipients", { exact: true }).fill("08031234567, 08021234567");
    await page.getByRole("button", { name, exact: true }).click();
    await fill();
    await expect(page.getByText(counted)).toBeVisible();
    await shoot(page, `compose-${type}`);
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(dialog(page)).toContainText(`SMS type${name}`);
    await expect(dialog(page)).toContainText(`Each message${counted}`);
    await dialog(page).getByRole("button", { name: "Yes, Proceed" }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole("region", { name: "What you sent" })).toContainText("2 of 2 messages");
    const { campaigns: list } = await campaigns(daemon, bola);
    expect(list).toHaveLength(at + 1);
    expect(list[0]?.sms_type).toBe(type);
  }
});

test("what a text cannot carry is named, with both ways out", async ({ page, daemon }) => {
  await open(page, daemon);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("Great news 😀 today");
  await expect(page.getByText(/A text message cannot carry/)).toContainText("😀");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove them" }).click();
  await expect(box).toHaveValue("Great news today");
  await box.fill("Ẹ kú ọjà");
  await page.getByRole("button", { name: "Replace them now" }).click();
  await expect(box).toHaveValue("E ku ojà");
  await box.fill("Good 😀");
  await page.getByRole("button", { name: "Send as Unicode" }).click();
  await expect(page.getByText(/can only be sent as Unicode/)).toBeVisible();
});

test("a long list goes as a file, and several times are several runs", async ({ page, daemon }) => {
  test.slow();
  const chidi = await open(page, daemon, { naira: 2_000_000 });
  const rows = Array.from({ length: 200_000 }, (_, at) => `0803${String(at).padStart(7, "0")},Ada ${at}`);
  await page.getByLabel("File of recipients").setInputFiles({
    name: "long.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`Phone,Name\n${rows.join("\n")}\n`),
  });
  await expect(page.getByText("Columns: name")).toBeVisible();
  await page.getByRole("textbox", { name: "Message" }).fill("Dear ");
  await page.getByRole("textbox", { name: "Message" }).press("End");
  await page.getByRole("button", { name: "Insert name" }).click();
  await expect(page.getByRole("region", { name: "Message on a phone" })).toContainText("Dear Ada 0");
  await page.getByRole("button", { name: "Next recipient" }).click();
  await expect(page.getByRole("region", { name: "Message on a phone" })).toContainText("Dear Ada 1");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("switch", { name: "Send later" }).check();
  const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
  await page.getByLabel("Send at").fill(`${day}T09:30`);
  await page.getByRole("button", { name: "Add another time" }).click();
  await page.getByLabel("Send at (2)").fill(`${day}T17:00`);
  await expectAccessible(page);
  await shoot(page, "compose-later");
  await page.getByRole("button", { name: "Schedule message" }).click();
  const asked = dialog(page);
  await expect(asked).toContainText("Total Contacts200,000", { timeout: 90_000 });
  await expect(asked).toContainText(`Campaign Start${day} 09:30${day} 17:00`);
  await expect(asked).toContainText("₦1,800,000.00000");
  await asked.getByRole("button", { name: "Yes, Proceed" }).click();
  // A first large send is looked at by a person before it goes out, and says so.
  const why = page.getByText(/^Held: the first large send of an account/);
  await expect(why.first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Your campaign waits for the administrator")).toBeVisible();
  const { campaigns: held } = await campaigns(daemon, chidi);
  expect(held.map((it) => [it.status, it.total_contacts])).toEqual([
    ["paused", 200_000],
    ["paused", 200_000],
  ]);
  await page.getByRole("link", { name: `Open campaign ${held[0]?.id}` }).click();
  await expect(page.getByRole("button", { name: "Cancel campaign" })).toBeVisible();
  await expect(page.locator(".MuiAlert-message", { hasText: /^Held: the first large send/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume" })).toBeHidden();
  await shoot(page, "campaign-held");
  for (const it of held) {
    await daemon.call("POST", `/api/campaigns/${it.id}/resume`, await daemon.admin());
  }
  const { campaigns: list } = await campaigns(daemon, chidi);
  expect(list.map((it) => it.status)).toEqual(["scheduled", "scheduled"]);
});

test("a long pasted list is attached, not read by the page", async ({ page, daemon }) => {
  await open(page, daemon);
  const box = page.getByLabel("Recipients", { exact: true });
  const took = await box.evaluate((element) => {
    const numbers = Array.from({ length: 1_000_000 }, (_, at) => `0803${String(at).padStart(7, "0")}`);
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", numbers.join("\n"));
    const begun = performance.now();
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    return performance.now() - begun;
  });
  expect(took).toBeLessThan(2_000);
  await expect(page.getByRole("list", { name: "Files" })).toContainText("pasted-numbers.txt 12 MB");
  await expect(box).toHaveValue("");
  await page.getByRole("button", { name: "Remove pasted-numbers.txt" }).click();
  await expect(page.getByRole("list", { name: "Files" })).toBeHidden();
});

test.describe("refusals", () => {
  test.use({ allowed: [/40\d/] });

  test("a refusal of the daemon is told, and an empty purse leads to funding", async ({ page, daemon }) => {
    await open(page, daemon, { naira: 1 });
    await page.getByLabel("Recipients", { exact: true }).fill("Ada");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("radio", { name: /Naira balance/ }).check();
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByText("Error in sending Message")).toBeVisible();
    await expect(page.getByText(/Recipients are required: 1 entry was read/)).toBeVisible();
    await page.getByLabel("Recipients", { exact: true }).fill("08031234567");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(dialog(page)).toContainText(/You need ₦[\d,.]+ more/);
    await expect(dialog(page).getByRole("button", { name: "Yes, Proceed" })).toBeDisabled();
    await dialog(page).getByRole("button", { name: "No, Cancel" }).click();
    await expect(dialog(page)).toBeHidden();
  });

  test("an inactive account reads, and is told what to do", async ({ page, daemon }) => {
    await daemon.setPrices();
    const dayo = await daemon.customer();
    await daemon.call("POST", `/admin/deactivate-user/${dayo.id}`, await daemon.admin());
    // The deactivation ended the first session.
    await signInAs(page, daemon, { ...dayo, token: await daemon.login(dayo.username) });
    await page.goto("/dashboard/compose-sms");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByText("Please Contact Admin to activate your account")).toHaveCount(2);
  });
});

test("a campaign is written, turned back from, confirmed and followed without a mouse", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  await signInAs(page, daemon, await daemon.customer());
  await page.goto("/dashboard/compose-sms");
  await expect(page.getByRole("heading", { name: "SMS Campaign" })).toBeVisible();
  /** Goes on by Tab, as far as a person would, until it is reached. */
  const reach = async (goal: Locator) => {
    for (let at = 0; at < 30; at++) {
      if (await goal.evaluate((it) => it === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    await expect(goal).toBeFocused();
  };
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
  await page.keyboard.press("Enter");
  await reach(page.getByLabel("Recipients", { exact: true }));
  await page.keyboard.type("08031234567");
  // The kinds are one stop, with arrows between them.
  await reach(page.getByRole("button", { name: "Text", exact: true }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "Flash" })).toBeFocused();
  await page.keyboard.press("Space");
  await reach(page.getByRole("textbox", { name: "Message" }));
  await page.keyboard.type("The gate is closed");
  await reach(page.getByRole("radio", { name: /^ESPEES/ }));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /Naira balance/ })).toBeChecked();
  const send = page.getByRole("button", { name: "Send message" });
  await reach(send);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(dialog).toContainText("Flash");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(send).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await reach(dialog.getByRole("button", { name: "Yes, Proceed" }));
  await page.keyboard.press("Enter");
  // What was sent is where the keyboard is now.
  await expect(page.getByRole("heading", { name: /^Your campaign is/ })).toBeFocused();
});
