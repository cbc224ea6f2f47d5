// A person asks what is held about a number, and to have it erased: an administrator searches, exports, opts it out, erases
// and looks again.
import { readFileSync } from "node:fs";
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signIn, test } from "./harness";
import { openAndLeave } from "./keyboard";

const ADMIN = "/dashboard/admin";
const NUMBER = "2348031239876";
const OTHER = "2348031239877";
const LEFT = "2348031239878";

test.use({ allowed: async ({}, use) => use([/409 .*\/erase/]) });

async function send(daemon: Daemon, by: Customer, contacts: string, time?: string): Promise<number> {
  const form = { senderid: "WEBSMS", payment_method: "naira", message: "Your parcel is here", contacts };
  const [quote, confirm] = time
    ? ["/api/schedule-text-sms", "/api/confirm-schedule-text-sms"]
    : ["/api/send-text-sms", "/api/confirm-send-text-sms"];
  const { details } = await daemon.call<{ details: { quote_id: number } }>("POST", quote, by.token, {
    ...form,
    ...(time && { time }),
  });
  const sent = await daemon.call<{ details: { id: number } }>("POST", confirm, by.token, {
    quote_id: details.quote_id,
  });
  return sent.details.id;
}

interface Found {
  messages: { status: string }[];
}

/** Waits until a number's message is found by it, and its receipt has come. */
async function delivered(daemon: Daemon, by: Customer, number: string): Promise<void> {
  const path = `/api/messages?number=${number}&page=1&per_page=5`;
  const status = async () => (await daemon.call<Found>("GET", path, by.token)).messages[0]?.status;
  await expect.poll(status, { timeout: 60_000 }).toBe("delivered");
}

test("what is held about a number is searched, exported, erased, and gone when it is looked for again", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer({ naira: 100 });
  await send(daemon, ada, `${NUMBER},${OTHER},${LEFT}`);
  await daemon.call("POST", "/api/create/group", ada.token, { group_name: "Parents" });
  const { groups } = await daemon.call<{ groups: { id: number }[] }>(
    "GET",
    "/api/get/group?page=1&per_page=5",
    ada.token,
  );
  await daemon.call("POST", `/api/create/contact/group/${groups[0]?.id}`, ada.token, {
    phone: NUMBER,
    name: "Chidi Obi",
  });
  await delivered(daemon, ada, NUMBER);

  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/audit-trail`);
  await page.getByRole("link", { name: "Data Requests" }).click();
  await expect(page.getByText("Whose number?")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-data-requests");

  // Looked for as a person writes it; the address says nothing of it.
  await page.getByLabel("Phone number").fill("0803 123 9876");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "+234 803 123 9876" })).toBeVisible();
  expect(page.url()).toMatch(/\/data-requests$/);
  const messages = page.getByRole("button", { name: /^Messages and calls/ });
  await expect(messages).toContainText("1 record");
  await page.getByRole("button", { name: /^Contacts/ }).click();
  await expect(page.getByText("Chidi Obi")).toBeVisible();
  await messages.click();
  await expect(page.getByText("₦4.50")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-held");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("data-about-9876.jsonl");
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines.join("\n")).toContain("Your parcel is here");
  expect(lines.at(-1)).toMatch(/"complete":\s*true/);

  // A message that is still to go out stands in the way, and the daemon says so.
  const later = await send(daemon, ada, NUMBER, new Date(Date.now() + 86_400_000).toISOString());
  const erase = page.getByRole("button", { name: "Erase…" });
  await openAndLeave(page, erase);
  const dialog = page.getByRole("dialog");
  const confirm = async () => {
    await erase.click();
    await expect(dialog.getByRole("button", { name: "Erase" })).toBeDisabled();
    await dialog.getByLabel(`Type ${NUMBER} to confirm`).fill(NUMBER);
    await dialog.getByRole("button", { name: "Erase" }).click();
  };
  await confirm();
  await expect(page.getByText("+234 803 123 9876 was not erased")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "was not erased" })).toContainText("are not over");
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-refused");
  await daemon.call("POST", `/api/campaigns/${later}/cancel`, ada.token);

  await erase.click();
  await expect(dialog).toContainText("Contacts, 1 record.");
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-erase", false);
  await dialog.getByRole("button", { name: "Opt it out" }).click();
  await expect(dialog).toContainText("is opted out for all customers");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await confirm();
  await expect(page.getByText(/^\+234 803 123 9876 was erased from \d+ records$/)).toBeVisible();
  await expect(page.getByText("Contacts: 1 record")).toBeVisible();

  // What is left: the opt-out, which does not show the number any more.
  await expect(messages).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Contacts/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^Opt-outs/ }).click();
  const left = page.getByRole("list", { name: "First rows" });
  await expect(left).toContainText("erased");
  await expect(left).not.toContainText("803");
  await expect(erase).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-erased");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText(/was erased from/)).toHaveCount(0);

  // The other recipient's message is as it was, and the books are right.
  await delivered(daemon, ada, OTHER);
  daemon.check();
  await page.goto(`${ADMIN}/audit-trail`);
  for (const action of ["viewed", "exported", "erased"]) {
    await expect(page.getByRole("row", { name: `Data about a number ${action}` }).first()).toContainText(
      "a number that ends in 9876",
    );
  }

  // It goes on when the page is left, and a toast says that it is over.
  await page.goto(`${ADMIN}/data-requests`);
  await page.getByLabel("Phone number").fill(`+${LEFT}`);
  await page.getByRole("button", { name: "Search" }).click();
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route("**/erase", async (route) => {
    await held;
    await route.continue();
  });
  await erase.click();
  await dialog.getByLabel(`Type ${LEFT} to confirm`).fill(LEFT);
  await dialog.getByRole("button", { name: "Erase" }).click();
  await expect(page.getByRole("heading", { name: "Erasing +234 803 123 9878" })).toBeVisible();
  await expect(erase).toBeDisabled();
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-erasing");
  await page.getByRole("link", { name: "Audit Trail" }).click();
  await page.getByRole("link", { name: "Data Requests" }).click();
  await expect(page.getByText(/is still being erased/)).toBeVisible();
  answer();
  await expect(page.getByText("The number that ends in 9878 was erased.")).toBeVisible();
  await expect(page.getByText(/is still being erased/)).toHaveCount(0);

  await page.getByLabel("Phone number").fill("+44 7911 123456");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Nothing is held about +447911123456")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-data-requests-nothing");
});
