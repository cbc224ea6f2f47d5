// A customer says what a message is for, and sees it again wherever the campaign is shown.
import { expect, expectAccessible, signInAs, test } from "./harness";

test("a customer sends a code as one, and its campaign, its message and the lists say so", async ({
  page,
  daemon,
}) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/compose-sms");
  await page.getByLabel("Recipients", { exact: true }).fill("0803 123 4567");
  await page.getByRole("textbox", { name: "Message" }).fill("Your code is 4711");
  await page.getByLabel("What it is for").selectOption({ label: "Codes" });
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send message" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm Campaign Submission" });
  await expect(asked).toContainText("ForCodes");
  await asked.getByRole("button", { name: "Yes, Proceed" }).click();

  const sent = page.getByRole("region", { name: "What you sent" });
  await sent.getByRole("link", { name: /^Open campaign/ }).click();
  await expect(page.getByRole("region", { name: "Cost" })).toContainText("ForCodes");
  await expectAccessible(page);
  await page.getByTitle("What happened and what it cost").click();
  await expect(page.getByRole("region", { name: "What was sent" })).toContainText("ForCodes");
  for (const list of ["sent-messages", "delivery-reports"]) {
    await page.goto(`/dashboard/${list}`);
    await expect(page.getByRole("row", { name: /Your code is 4711/ })).toContainText("Codes");
  }
  const { campaigns } = await daemon.call<{ campaigns: { purpose: string }[] }>(
    "GET",
    "/api/get-campaign-history",
    ada.token,
  );
  expect(campaigns.map((it) => it.purpose)).toEqual(["otp"]);
});

test("a customer without the right to send codes reads why at the choice", async ({
  page,
  daemon,
  allowed,
}) => {
  // What Chromium says of the refusal.
  allowed.push(/400/);
  await daemon.setPrices();
  const eve = await daemon.customer();
  await daemon.call("PUT", `/admin/users/${eve.id}/codes`, await daemon.admin(), { allowed: false });
  await signInAs(page, daemon, eve);
  await page.goto("/dashboard/compose-sms");
  await page.getByLabel("Recipients", { exact: true }).fill("0803 123 4567");
  await page.getByRole("textbox", { name: "Message" }).fill("Your code is 4711");
  const purpose = page.getByLabel("What it is for");
  await purpose.selectOption({ label: "Codes" });
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(purpose).toHaveAccessibleDescription(/^This account may not send codes/);
});
