// Drafts: after a session's end, a reload and on another device; and dates in a browser whose language writes the month first.
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

test.use({ locale: "en-US", allowed: [/401|409/] });

test("what was being written when the session ended is there after signing in again, and dates are as shown", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page.getByLabel("Recipients", { exact: true }).fill("08031230001");
  await page.getByRole("textbox", { name: "Message" }).fill("Half a thought");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("switch", { name: "Send later" }).check();
  await expect(page.getByLabel("Send at")).toHaveValue(/^\d{4}-\d\d-\d\d \d\d:00$/);
  await page.getByLabel("Send at").fill("tomorrow");
  await page.getByLabel("Send at").blur();
  await expect(page.getByText("Write it as YYYY-MM-DD HH:mm")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page.getByText("'tomorrow' is no time").first()).toBeVisible();
  const year = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Send at").fill(`${year} 9:30`);
  await page.getByLabel("Send at").blur();
  await expect(page.getByLabel("Send at")).toHaveValue(`${year} 09:30`);

  // The session ends at the daemon, and the page hears of it.
  await daemon.call("POST", "/api/logout", ada.token);
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText("Login again")).toBeVisible();
  // One notice, and sign-in over the first page, which leads back.
  await expect(page.locator(".notistack-Snackbar")).toHaveCount(1);
  const signIn = page.getByRole("dialog", { name: "Log in to go on" });
  await expect(signIn.getByText("What you wrote is kept.")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "sign-in-over", false);
  await signIn.getByLabel("Email or user name").fill(ada.username);
  await signIn.getByLabel("Password").fill(ada.password);
  await signIn.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/compose-sms/);
  await expect(page.getByText("This is what you wrote before your session ended.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Half a thought");
  await expect(page.getByLabel("Send at")).toHaveValue(`${year} 09:30`);
  await expectAccessible(page);
  await shoot(page, "compose-returned");
  await page.getByRole("button", { name: "Schedule message" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(dialog).toContainText(`Campaign Start${year} 09:30`);
  await dialog.getByRole("button", { name: "No, Cancel" }).click();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("");

  await page.goto("/dashboard/transaction-history");
  await page.getByLabel("From").fill("2026-1-5");
  await expect(page).toHaveURL(/from=2026-01-05/);
  await page.getByLabel("From").fill("05/01/2026");
  await page.getByLabel("From").blur();
  await expect(page.getByText("Write it as YYYY-MM-DD", { exact: true })).toBeVisible();
});

test("a draft is kept with its file: a reload and another device go on with all of it, and sending removes it", async ({
  page,
  browser,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page.getByRole("textbox", { name: "Message" }).fill("Dear {name}, we open at nine");
  const rows = Array.from({ length: 1_812 }, (_, at) => `Ada ${at},0803${String(1_230_000 + at)}`);
  await page.getByLabel("File of recipients").setInputFiles({
    name: "customers.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`Name,Phone\n${rows.join("\n")}\n`),
  });
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expect(page.getByText("1,812 contacts in all")).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "compose-saved");

  await page.reload();
  const files = page.getByRole("list", { name: "Files" });
  await expect(files).toContainText("customers.csv");
  await expect(page.getByText("1,812 contacts in all")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Dear {name}, we open at nine");
  await expect(page.getByRole("region", { name: "Message on a phone" })).toContainText("Dear Ada 0");

  const elsewhere = await browser.newContext({ baseURL: daemon.url });
  const phone = await elsewhere.newPage();
  await phone.setViewportSize({ width: 360, height: 740 });
  await signInAs(phone, daemon, ada);
  await phone.goto("/dashboard/compose-sms");
  const offered = phone.getByRole("list", { name: "Drafts" });
  await expect(offered).toContainText("customers.csv");
  await expectAccessible(phone);
  await shoot(phone, "compose-draft-offered");
  await offered.getByRole("button", { name: /Go on with Dear/ }).click();
  await expect(phone.getByText("1,812 contacts in all")).toBeVisible();
  await phone.getByRole("textbox", { name: "Message" }).fill("Dear {name}, we open at ten");
  await expect(phone.getByText("Saved", { exact: true })).toBeVisible();
  await expect
    .poll(async () => {
      const { drafts } = await daemon.call<{ drafts: { title: string }[] }>("GET", "/api/drafts", ada.token);
      return drafts.map((it) => it.title);
    })
    .toEqual(["Dear {name}, we open at ten"]);
  await elsewhere.close();

  // The first device hears of it with its next change, and overwrites nothing.
  await page.getByRole("textbox", { name: "Message" }).press("End");
  await page.getByRole("textbox", { name: "Message" }).pressSequentially("!");
  await expect(page.getByText(/This draft was changed elsewhere/)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "compose-draft-changed");
  await page.getByRole("button", { name: "Take the other" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("Dear {name}, we open at ten");
  await expect(page.getByText("1,812 contacts in all")).toBeVisible();
  // The other's file is here, too: until then nothing is sent.
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Send message" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(dialog).toContainText("Total Contacts1,812");
  await dialog.getByRole("button", { name: "Yes, Proceed" }).click();
  await expect(page.getByText("SMS Sent").first()).toBeVisible();
  await expect
    .poll(async () => {
      return (await daemon.call<{ drafts: object[] }>("GET", "/api/drafts", ada.token)).drafts.length;
    })
    .toBe(0);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("");
  await expect(page.getByRole("list", { name: "Drafts" })).toHaveCount(0);
});

test("starting over where another device changed the draft saves what is written next, and the other's stays", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  const message = page.getByRole("textbox", { name: "Message" });
  const saved = page.getByText("Saved", { exact: true });
  await message.fill("Half a thought");
  await expect(saved).toBeVisible();
  await daemon.call("POST", "/api/logout", ada.token);
  await message.fill("Half a thought, and more");
  const signIn = page.getByRole("dialog", { name: "Log in to go on" });
  await signIn.getByLabel("Email or user name").fill(ada.username);
  await signIn.getByLabel("Password").fill(ada.password);
  await signIn.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("This is what you wrote before your session ended.")).toBeVisible();
  await expect(saved).toBeVisible();

  const token = await daemon.login(ada.username);
  type Draft = { id: number; version: number; title: string; fields: string };
  const drafts = async () => (await daemon.call<{ drafts: Draft[] }>("GET", "/api/drafts", token)).drafts;
  const [mine] = await drafts();
  const at = `/api/drafts/${mine?.id}`;
  const { version, fields } = await daemon.call<Draft>("GET", at, token);
  const other = { ...(JSON.parse(fields) as object), message: "From the phone" };
  await daemon.call("PUT", at, token, {
    version,
    title: "From the phone",
    fields: JSON.stringify(other),
  });
  await message.press("End");
  await message.pressSequentially("!");
  await expect(page.getByText(/This draft was changed elsewhere/)).toBeVisible();
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(message).toHaveValue("");
  await expect(page.getByText(/This draft was changed elsewhere/)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Go on with From the phone" })).toBeVisible();
  await message.fill("Anew");
  await expect(saved).toBeVisible();
  await expect
    .poll(async () => (await drafts()).map((it) => it.title).sort())
    .toEqual(["Anew", "From the phone"]);
});
