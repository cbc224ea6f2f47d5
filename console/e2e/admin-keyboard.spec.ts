// Every dialog of the administration without a mouse: opened by its button, never left by Tab, closed by Escape, and then
// the keyboard is where it was.
import { expect, signIn, test } from "./harness";
import { openAndLeave } from "./keyboard";

const ADMIN = "/dashboard/admin";

test("each dialog is used by keyboard alone", async ({ page, daemon }) => {
  await daemon.setPrices();
  const ada = await daemon.customer();
  const admin = await daemon.admin();
  await daemon.call("POST", "/api/request-senderid", ada.token, { sender_ids: ["ACME"] });
  await daemon.call("POST", "/admin/manage-annoucement", admin, { action: "create", announcement: "Hello" });
  const form = { senderid: "WEBSMS", payment_method: "naira", message: "Hi", contacts: "08031230001" };
  const time = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const { details: quote } = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/schedule-text-sms",
    ada.token,
    { ...form, time },
  );
  const { details: sent } = await daemon.call<{ details: { id: number } }>(
    "POST",
    "/api/confirm-schedule-text-sms",
    ada.token,
    { quote_id: quote.quote_id },
  );
  await signIn(page, daemon, admin);
  for (const [path, ...buttons] of [
    ["announcement", /^Delete/],
    ["message-users", `Message User ${ada.username}`, "Message all users"],
    [`manage-users/user/${ada.id}`, "Details", "Message User", "Change limits", "Disable", "Delete User"],
    ["approve-sender-id", /^Reject/],
    ["approve-virtualNumber", "Assign a number"],
    [`campaign-history/${sent.id}`, "Pause", "Cancel campaign"],
    ["carriers", "Reload the configuration", "Pause sandbox", "Drain sandbox", "Send a test over sandbox"],
  ] as const) {
    await page.goto(`${ADMIN}/${path}`);
    for (const name of buttons) {
      await test.step(`${path}: ${name}`, () =>
        openAndLeave(page, page.getByRole("button", { name, exact: true }).first()));
    }
  }
});

test("a page is reached past the menu, and rows are chosen and released", async ({ page, daemon }) => {
  const bola = await daemon.customer({});
  await signIn(page, daemon, await daemon.admin());
  await page.goto(`${ADMIN}/manage-users`);
  const box = page.getByRole("row", { name: new RegExp(bola.username) }).getByRole("checkbox");
  await expect(box).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "New user" })).toBeFocused();
  await box.focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("toolbar")).toContainText("1 chosen");
  await openAndLeave(page, page.getByRole("toolbar").getByRole("button", { name: "Disable" }));
  await page.getByRole("button", { name: "Choose none" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("toolbar")).toBeHidden();
});
