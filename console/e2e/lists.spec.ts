// A message that begins with recipients: a group, an import, those whom a campaign did not reach, a campaign once more; and
// texts that are kept.
import type { Customer, Daemon } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

// By the last four digits: 9001 is rejected, 9002 undelivered.
const MIXED = "08031230001,08021239001,08051239002,08091230004";

interface Sent {
  details: { id: number; status: string };
}

async function campaign(daemon: Daemon, who: Customer): Promise<number> {
  const form = {
    senderid: "WEBSMS",
    payment_method: "paystack",
    contacts: MIXED,
    message: "Sale on Saturday",
  };
  const { details } = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/send-text-sms",
    who.token,
    form,
  );
  const sent = await daemon.call<Sent>("POST", "/api/confirm-send-text-sms", who.token, {
    quote_id: details.quote_id,
  });
  const { id } = sent.details;
  const failed = async () => {
    const path = `/api/campaigns/${id}/messages?status=failed`;
    return (await daemon.call<{ total: number }>("GET", path, who.token)).total;
  };
  await expect.poll(failed, { timeout: 20_000 }).toBe(2);
  return id;
}

test("those whom a campaign did not reach are written to, and the campaign is sent once more, without a list leaving the daemon", async ({
  page,
  daemon,
}) => {
  test.slow();
  await daemon.setPrices();
  const ada = await daemon.customer();
  const id = await campaign(daemon, ada);
  await signInAs(page, daemon, ada);
  await page.goto(`/dashboard/campaigns/${id}`);
  await page
    .getByRole("region", { name: "Why some were not delivered" })
    .getByRole("link", { name: "Send to these" })
    .click();
  await expect(page).toHaveURL("/dashboard/compose-sms");
  const lists = page.getByRole("list", { name: "Earlier lists" });
  await expect(lists).toContainText(`Those whom campaign ${id} did not reach`);
  await expect(page.getByText("2 contacts in all")).toBeVisible();
  await page.getByRole("textbox", { name: "Message" }).fill("Did you hear of our sale?");
  await page.getByRole("button", { name: "Save as template" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Reminder");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Template saved")).toBeVisible();
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expectAccessible(page);
  await shoot(page, "compose-failed-list");
  await page.getByRole("button", { name: "Send message" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(asked).toContainText("Total Contacts2");
  await asked.getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByText("SMS Sent").first()).toBeVisible();

  // The draft is deleted before the page is left: an answer that is cut off is asked for once more.
  const over = () =>
    page.evaluate(() => Object.keys(localStorage).filter((it) => it.startsWith("drafts-over:")));
  await expect.poll(over).toEqual([]);

  // A copy, from the row of the list.
  await page.goto("/dashboard/sent-messages");
  await page.getByRole("button", { name: `More of campaign ${id}` }).click();
  await expectAccessible(page);
  await shoot(page, "sent-messages-row-menu", false);
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Sale on Saturday");
  await expect(lists).toContainText(`The recipients of campaign ${id}`);
  await expect(page.getByText("4 contacts in all")).toBeVisible();

  // What is being written is not mixed with what is opened next.
  await page.getByRole("textbox", { name: "Message" }).fill("Sale on Sunday");
  await page.goto(`/dashboard/compose-sms?audience=campaign:${id}:delivered`);
  await expect(page.getByText(/You are writing another message/)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "compose-begin-with");
  await page.getByRole("button", { name: "Begin a new one" }).click();
  await expect(lists).toContainText(`Those of campaign ${id} whose status is delivered`);
  await page.getByRole("button", { name: "Use a template" }).click();
  await expectAccessible(page);
  await shoot(page, "compose-templates", false);
  await page.getByRole("button", { name: /^Reminder/ }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Did you hear of our sale?");
  await page.getByRole("radio", { name: /Naira balance/ }).check();

  // The same text to one's own phone, at its price.
  await page.getByRole("button", { name: "Send a test to me" }).click();
  const price = page.getByRole("dialog", { name: "Send a test to your own phone?" });
  await expect(price).toContainText("costs ₦4.50");
  await expectAccessible(page);
  await shoot(page, "compose-test-to-me", false);
  await price.getByRole("button", { name: "Send the test" }).click();
  await expect(page.getByText("SMS Sent").first()).toBeVisible();
  const own = async () => {
    const path = `/api/messages?number=${ada.phone}`;
    return (await daemon.call<{ total: number }>("GET", path, ada.token)).total;
  };
  await expect.poll(own).toBe(1);
});

test("a group and an import are written to from their pages", async ({ page, daemon }) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/upload-contacts");
  await page.locator('input[type="file"]').setInputFiles({
    name: "may.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Phone,Name\n08031230001,Ada\n08021230002,Bola\n"),
  });
  await page.getByLabel("Group name").fill("May");
  await page.getByRole("button", { name: "Upload contacts" }).click();
  await expect(page.getByText("Import finished: 2 added, 0 rejected")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "import-send");
  await page.getByRole("link", { name: "Send to these" }).click();
  await expect(page.getByRole("list", { name: "Earlier lists" })).toContainText("The numbers of import");
  await expect(page.getByText("2 contacts in all")).toBeVisible();
  await page.getByRole("button", { name: "Insert name" }).click();

  const { groups } = await daemon.call<{ groups: { id: number }[] }>("GET", "/api/get/group", ada.token);
  await page.goto(`/dashboard/phonebook/${groups[0]?.id}`);
  await expect(page.getByRole("link", { name: "Send to these" })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "group-send");
  await page.getByRole("link", { name: "Send to these" }).click();
  await page.getByRole("button", { name: "Begin a new one" }).click();
  await expect(page.getByText("May, 2 contacts")).toBeVisible();
  await expect(page.getByRole("list", { name: "Earlier lists" })).toHaveCount(0);
});
