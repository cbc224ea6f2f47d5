import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signIn, signInAs, test } from "./harness";

const MP3 = join(import.meta.dirname, "tone.mp3");

interface Calls {
  to: string;
  status: string;
  seconds: number;
}

async function customer(daemon: Daemon): Promise<Customer> {
  const admin = await daemon.admin();
  await daemon.call("POST", "/admin/set-voice-unit-price", admin, { price: 0.5 });
  await daemon.call("POST", "/admin/set-voice-unit-price-naira", admin, { price: 9 });
  return daemon.customer();
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Confirm Campaign Submission" });
const send = (page: Page) => page.getByRole("button", { name: "Send voice message" });
const told = (page: Page, text: string) => page.locator(".toasts").getByText(text).last();

test("a customer writes a text, hears it, sees the most it can cost, has it called out, and reads who answered", async ({
  page,
  daemon,
}) => {
  const ada = await customer(daemon);
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Voice Message" }).click();
  await expect(page.getByRole("heading", { name: "Voice Message" })).toBeVisible();
  await page
    .getByLabel("Recipients", { exact: true })
    .fill("08031230001, 08031230002 08031230002 08031239104 0803123456");
  await page.getByRole("textbox", { name: "Voice Message" }).fill("Practice is at five. Bring ₦500.");
  await expect(page.getByText("32 characters.")).toBeVisible();
  await page.getByLabel("Voice", { exact: true }).selectOption("us-male");
  const heard = page.waitForResponse("**/api/voice-preview");
  await page.getByRole("button", { name: "Listen" }).click();
  expect((await heard).headers()["content-type"]).toBe("audio/wav");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Listen" })).toBeVisible();
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expect(page.getByText("3 contacts at ₦9.00000 a pulse")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "voice-compose");

  await send(page).click();
  for (const line of [
    "MessagePractice is at five. Bring ₦500.",
    "Total Contacts3",
    "Duplicate removed1",
    "Total charge (Naira)At most ₦27.00000",
    "3 calls of at most 1 pulse at ₦9.00000",
    "Campaign StartSending Now",
    "1 entry left out",
    "calls that are not answered cost nothing, and pulses that are not used are refunded",
  ]) {
    await expect(dialog(page)).toContainText(line);
  }
  await expectAccessible(page);
  await shoot(page, "voice-confirm", false);
  await dialog(page).getByRole("button", { name: "Yes, Proceed" }).dblclick();

  await expect(told(page, "Voice SMS Sent")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Voice Reports" })).toBeVisible();
  const row = page.getByRole("row", { name: /Practice is at five/ });
  await expect(row).toContainText("Completed", { timeout: 60_000 });
  await expect(row).toContainText("2 of 3");
  await expect(row).toContainText("US, male");
  await expect(row).toContainText("₦18.00");
  await expect(row).toContainText("₦9.00");
  await row.getByRole("button", { name: "1 failed: show the numbers" }).click();
  await expect(page.getByRole("dialog", { name: "Calls that failed" })).toContainText("+234 803 123 9104");
  await page.keyboard.press("Escape");
  const calls = await daemon.call<Calls[]>("GET", "/sandbox/calls");
  expect(calls.filter((it) => it.seconds > 0).map((it) => it.to)).toHaveLength(2);
  await expectAccessible(page);
  await shoot(page, "voice-reports");

  await row.getByRole("link", { name: /Practice is at five/ }).click();
  await expect(page.getByRole("heading", { name: /^Campaign \d+$/ })).toBeVisible();
  await expect(page.getByText("+234 803 123 9104")).toBeVisible();
  await expect(page.getByText("3 calls: none is left to make.")).toBeVisible();
  await expect(page.getByText("Pulses a call, at most")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "voice-campaign");
  await page.getByRole("button", { name: "Resend failed" }).click();
  const again = page.getByRole("dialog", { name: "Make the failed calls again?" });
  await expect(again).toContainText("1 call of campaign");
  await expectAccessible(page);
  await shoot(page, "voice-resend", false);
  await again.getByRole("button", { name: "No, Cancel" }).click();
  await page.getByRole("link", { name: "+234 803 123 0001" }).click();
  await expect(page.getByRole("heading", { name: "Call to +234 803 123 0001" })).toBeVisible();
  await expect(page.getByText("Keys pressed")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "voice-call");
  await page.goto("/dashboard/delivery-reports?type=voice");
  await expect(page.getByRole("tab", { name: "Voice" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("row", { name: /Practice is at five/ })).toContainText("Voice");
  daemon.check();
});

test("a customer asks a question, and reads what was answered and who opted out", async ({
  page,
  daemon,
}) => {
  await signInAs(page, daemon, await customer(daemon));
  await page.goto("/dashboard/text-to-speech");
  await page.getByLabel("Recipients", { exact: true }).fill("08031239106 08031239108 08031230001");
  await page
    .getByRole("textbox", { name: "Voice Message" })
    .fill("Will you come? Press 1 for yes, 2 for no, 9 to hear no more.");
  await page.getByRole("switch", { name: "Ask a question" }).check();
  await page.getByLabel("Key 1 stands for").fill("Will come");
  await page.getByLabel("Play the question").selectOption("2");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expectAccessible(page);
  await shoot(page, "voice-question");
  await send(page).click();
  await expect(dialog(page)).toContainText(
    "Keys1 = Will come, 2 = No; 9 always opts out. Played up to 2 times",
  );
  await dialog(page).getByRole("button", { name: "Yes, Proceed" }).click();
  const row = page.getByRole("row", { name: /Will you come/ });
  await expect(row).toContainText("Completed", { timeout: 60_000 });
  await row.getByRole("link", { name: /Will you come/ }).click();
  const answers = page.getByRole("table", { name: "Answers by key" });
  for (const [label, figures] of [
    ["Will come", "1 (33.3%)"],
    ["Opted out", "1 (33.3%)"],
    ["No key", "1 (33.3%)"],
  ] as const) {
    await expect(answers.getByRole("row", { name: new RegExp(`^${label}`) })).toContainText(figures);
  }
  await expectAccessible(page);
  await shoot(page, "voice-answers");
  await page.getByRole("link", { name: "+234 803 123 9108" }).click();
  await expect(page.getByText(/The person pressed 9, so the number opted out/).first()).toBeVisible();
  daemon.check();
});

test("the rules are told in the specification's order and words", async ({ page, daemon }) => {
  await signInAs(page, daemon, await customer(daemon));
  await page.goto("/dashboard/text-to-speech");
  const refused = async (text: string) => {
    await send(page).click();
    await expect(told(page, text)).toBeVisible();
  };
  await refused("Voice Message is required");
  await page.getByRole("button", { name: "Past recording" }).click();
  await refused("Past audio file is required");
  await page.getByRole("button", { name: "Upload an MP3" }).first().click();
  await refused("Voice is required");
  const file = page.locator('input[accept*="mpeg"]');
  await file.setInputFiles({ name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from("08031230001") });
  await expect(told(page, "Please select a valid MP3 file.")).toBeVisible();
  // The daemon reads the file's content only when the other fields are filled in.
  const fake = { name: "fake.mp3", mimeType: "audio/mpeg", buffer: Buffer.alloc(9_000, "no sound") };
  await file.setInputFiles(fake);
  await refused("Recipients are required");
  await page.getByLabel("Recipients", { exact: true }).fill("08031230001");
  await refused("Payment method is required");
  await page.getByRole("radio", { name: /ESPEES/ }).check();
  await expectAccessible(page);
});

test("an MP3 is called out, kept, heard again, and called out once more", async ({ page, daemon }) => {
  const bola = await customer(daemon);
  await signInAs(page, daemon, bola);
  await page.goto("/dashboard/text-to-speech");
  await page.getByRole("button", { name: "Upload an MP3" }).click();
  await page.locator('input[accept*="mpeg"]').setInputFiles(MP3);
  await page.getByLabel("Recipients", { exact: true }).fill("08031240001 08031240002");
  await page.getByRole("radio", { name: /ESPEES/ }).check();
  await expectAccessible(page);
  await shoot(page, "voice-upload");
  await send(page).click();
  await expect(dialog(page)).toContainText("Total charge (ESPEES)At most 1.00000 ESPEES");
  await dialog(page).getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(told(page, "Voice SMS Sent")).toBeVisible();
  const row = page.getByRole("row", { name: /tone/ });
  await expect(row).toContainText("Completed", { timeout: 60_000 });
  await expect(row).toContainText("2 of 2");
  const player = row.getByLabel("Recording tone");
  const length = await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.preload = "auto";
    audio.load();
    await new Promise((loaded, failed) => {
      audio.addEventListener("loadedmetadata", loaded);
      audio.addEventListener("error", () => failed(new Error(String(audio.error?.message))));
    });
    return audio.duration;
  });
  expect(Math.round(length)).toBe(2);
  await shoot(page, "voice-reports-recording");

  await page.goto("/dashboard/text-to-speech");
  await page.getByRole("button", { name: "Past recording" }).click();
  await page.getByRole("radio", { name: /tone/ }).check();
  await page.getByLabel("Recipients", { exact: true }).fill("08031240003");
  await expectAccessible(page);
  await shoot(page, "voice-past");
  await send(page).click();
  await dialog(page).getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByRole("heading", { name: "Voice Reports" })).toBeVisible();
  await expect(page.getByRole("row", { name: /tone/ })).toHaveCount(2);
});

test.describe("before anything is paid", () => {
  test.use({ allowed: [/40\d.*voice-test/] });

  test("a customer has their own phone called first, free of charge, and deletes a recording", async ({
    page,
    daemon,
  }) => {
    const caller = await customer(daemon);
    await signInAs(page, daemon, caller);
    await page.goto("/dashboard/text-to-speech");
    await page.getByRole("textbox", { name: "Voice Message" }).fill("Practice is at five.");
    await page.getByRole("button", { name: "Call me" }).click();
    await expect(page.getByRole("link", { name: "Open your profile" })).toBeVisible();
    await expectAccessible(page);
    await shoot(page, "voice-call-me-unverified");
    const phone = "08037770001";
    await daemon.call("POST", "/api/edit-profile", caller.token, { phone_number: phone });
    await daemon.call("POST", "/api/confirm-phone", caller.token, { code: await daemon.code(phone) });
    await page.getByRole("button", { name: "Call me" }).click();
    const told = page.getByRole("status").filter({ hasText: "+234 803" });
    await expect(told).toContainText(/The call was answered.* were played\./, { timeout: 60_000 });
    await expectAccessible(page);
    await shoot(page, "voice-call-me");
    const { paystack_balance } = await daemon.call<{ paystack_balance: number }>(
      "GET",
      "/api/get-espee-balance",
      caller.token,
    );
    expect(paystack_balance).toBe(10_000);

    await page.getByRole("button", { name: "Upload an MP3" }).click();
    await page.locator('input[accept*="mpeg"]').setInputFiles(MP3);
    await page.getByRole("button", { name: "Call me" }).click();
    await expect(told).toContainText(/3 s of 3 s were played\./, { timeout: 60_000 });
    await page.getByRole("button", { name: "Past recording" }).click();
    await page.getByRole("radio", { name: /tone/ }).check();
    await page.getByRole("button", { name: "Delete tone" }).click();
    const deleting = page.getByRole("dialog", { name: "Delete tone?" });
    await expectAccessible(page);
    await shoot(page, "voice-recording-delete", false);
    await deleting.getByRole("button", { name: "Delete recording" }).click();
    await expect(page.getByText("Recording deleted")).toBeVisible();
    await expect(page.getByText("You have no recordings yet.")).toBeVisible();
  });
});

test("an administrator sees the calls of all, and whose they are", async ({ page, daemon }) => {
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/voice-reports");
  await expect(page.getByRole("heading", { name: "Voice Reports" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Practice is at five/ })).toContainText("customer1");
  await expect(page.getByRole("row", { name: /customer\d+ ?tone/ }).first()).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "voice-admin");
  await page.getByRole("link", { name: "customer1" }).click();
  await page.getByRole("tab", { name: "Voice SMS (1)" }).click();
  await expect(page.getByRole("row", { name: /Practice is at five/ })).toContainText("₦18.00");
  await expectAccessible(page);
  await shoot(page, "voice-admin-user");
  await page.getByRole("link", { name: /Practice is at five/ }).click();
  await expect(page.getByRole("table", { name: /^Calls of campaign \d+$/ })).toContainText("Delivered");
  await expectAccessible(page);
  await shoot(page, "voice-admin-campaign");
});
