import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PASSWORD } from "./daemon";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

/** A picture of one dot. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwADhgGAw0vQmwAAAABJRU5ErkJggg==",
  "base64",
);

test("sender ids are requested several at once, and their states and reasons are shown", async ({
  page,
  daemon,
}) => {
  const ada = await daemon.customer({});
  const admin = await daemon.admin();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/request-sender-id");
  await expect(page.getByRole("row", { name: /WEBSMS/ })).toContainText("Approved");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("Please add a sender ID")).toBeVisible();
  await page.getByRole("textbox", { name: "Sender ID", exact: true }).fill("TWELVE CHARS");
  await expect(page.getByText("Sender ID cannot be more than 11 characters.")).toBeVisible();
  await page.getByRole("textbox", { name: "Sender ID", exact: true }).fill("My Shop");
  await page.getByRole("button", { name: "Add another" }).click();
  await page.getByRole("textbox", { name: "Sender ID 2" }).fill("SALE");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByText("will be approved or disapproved shortly")).toBeVisible();
  await expect(page.getByRole("row", { name: /My Shop/ })).toContainText("Pending");
  const { senderId } = await daemon.call<{ senderId: { id: number; sender_id: string }[] }>(
    "GET",
    "/api/get-sender-id?status=pending",
    ada.token,
  );
  const idOf = (text: string) => senderId.find((it) => it.sender_id === text)?.id;
  await daemon.call("POST", `/admin/approve-senderid/${idOf("My Shop")}`, admin, {});
  await daemon.call("POST", `/admin/disapprove-senderid/${idOf("SALE")}`, admin, { reason: "Too general" });
  await page.reload();
  await expect(page.getByRole("row", { name: /My Shop/ })).toContainText("Approved");
  await expect(page.getByRole("row", { name: /SALE/ })).toContainText("Too general");
  await page.getByLabel("Status").selectOption("disapproved");
  await expect(page.getByText("1-1 of 1")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Status").selectOption("all");
  await expect(page.getByText("1-3 of 3")).toBeVisible();
  await shoot(page, "sender-ids");
});

test("a profile is shown and changed, its picture too, and a new address by its code", async ({
  page,
  daemon,
}) => {
  const bola = await daemon.customer({ naira: 500 });
  await signInAs(page, daemon, bola);
  await page.goto("/dashboard/profile-summary");
  await expect(page.getByRole("heading", { name: bola.name })).toBeVisible();
  await expect(page.locator("main")).toContainText("₦500.00");
  await expectAccessible(page);
  await page.getByLabel("Picture file").setInputFiles({ name: "me.png", mimeType: "image/png", buffer: PNG });
  await expect(page.getByText("Your picture is changed")).toBeVisible();
  await expect(page.getByRole("img", { name: `Picture of ${bola.name}` })).toHaveAttribute(
    "src",
    /\/api\/avatars\//,
  );
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bola Ade");
  await page.getByLabel("Gender").fill("female");
  await page.getByLabel("Time zone").selectOption("Europe/London");
  await page.getByLabel("Email").fill("bola.new@example.com");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByLabel("Six-digit code").fill("12");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Enter all 6 digits")).toBeVisible();
  await page.getByLabel("Six-digit code").fill(await daemon.code("bola.new@example.com"));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your e-mail address is changed")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Bola Ade" })).toBeVisible();
  await expect(page.locator("main")).toContainText("bola.new@example.com");
  await expect(page.locator("main")).toContainText("Europe/London");
  await shoot(page, "profile-summary");
});

test.describe("security", () => {
  test.use({ allowed: [/400/] });

  test("the password is changed, and other sessions are ended", async ({ page, daemon }) => {
    const chidi = await daemon.customer({});
    const there = await daemon.call<{ token: string }>("POST", "/api/login", "", {
      username: chidi.username,
      password: PASSWORD,
    });
    await signInAs(page, daemon, chidi);
    await page.goto("/dashboard/profile-summary/security");
    await expect(page.getByText("This one")).toBeVisible();
    await expectAccessible(page);
    await shoot(page, "security");
    await page.getByRole("button", { name: /^End the session/ }).click();
    await page.getByRole("button", { name: "End", exact: true }).click();
    await expect(page.getByText("The session has ended")).toBeVisible();
    await expect(daemon.call("GET", "/api/user-profile", there.token)).rejects.toThrow(/401/);

    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password", { exact: true }).fill("another-long-password");
    await page.getByLabel("New password again").fill("another");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("Passwords do not match")).toBeVisible();
    await page.getByLabel("New password again").fill("another-long-password");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.locator("[aria-invalid=true][name=current_password]")).toBeVisible();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("Your password is changed")).toBeVisible();
    await daemon.call("POST", "/api/login", "", {
      username: chidi.username,
      password: "another-long-password",
    });
  });
});

for (const [flow, code_flow] of [
  ["newer", true],
  ["older", false],
] as const) {
  test(`a KingsChat account is linked by the ${flow} flow, and the link is ended`, async ({
    page,
    daemon,
  }) => {
    await page.route("**/api/kingschat/options", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), code_flow } });
    });
    const id = `link-${flow}`;
    const who = `id=${id}&username=${id}&name=Uche-${flow}&email=${id}@example.com`;
    await daemon.call("GET", `/sandbox/kingschat/token?${who}`);
    await signInAs(page, daemon, await daemon.customer({}));
    await page.goto("/dashboard/profile-summary/security");
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Link KingsChat" }).click();
    const popup = await opening;
    await popup.getByRole("button", { name: new RegExp(`Uche-${flow}`) }).click();
    await expect(page.getByText("Your KingsChat account is linked").first()).toBeVisible();
    const section = page.getByRole("region", { name: "KingsChat" });
    await expect(section).toContainText(id);
    await section.getByRole("button", { name: "End the link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End the link" }).click();
    await expect(page.getByRole("button", { name: "Link KingsChat" })).toBeVisible();
  });
}

test("an API key is made with scopes, shown once, works, and is revoked", async ({
  page,
  daemon,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const dayo = await daemon.customer({});
  await signInAs(page, daemon, dayo);
  await page.goto("/dashboard/api-keys");
  await page.getByRole("button", { name: "New API key" }).first().click();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Name is required")).toBeVisible();
  await page.getByLabel("Name").fill("nightly import");
  await page.getByRole("checkbox", { name: /^Send/ }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByLabel("API key", { exact: true }).textContent()) ?? "";
  expect(key).toMatch(/^td_/);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await shoot(page, "api-key-once", false);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await daemon.call("GET", "/api/get-espee-balance", key);
  await expect(page.getByRole("row", { name: /nightly import/ })).toContainText("read, send");
  await expect(page.getByText(key)).toHaveCount(0);
  await expectAccessible(page);
  await shoot(page, "api-keys");
  await page.getByRole("button", { name: "Revoke nightly import" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("The key is revoked")).toBeVisible();
  await expect(daemon.call("GET", "/api/get-espee-balance", key)).rejects.toThrow(/401/);
});

test("a webhook is added, hears a trial, is signed and told again, turned off and deleted", async ({
  page,
  daemon,
}) => {
  const heard: { id: string; body: string; signature: string; at: string }[] = [];
  const receiver = createServer((request, answer) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name] ?? "");
      heard.push({
        id: header("webhook-id"),
        body,
        signature: header("webhook-signature"),
        at: header("webhook-timestamp"),
      });
      answer.writeHead(200).end("taken");
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const efe = await daemon.customer({});
    await signInAs(page, daemon, efe);
    await page.goto("/dashboard/webhooks");
    await page.getByRole("button", { name: "New webhook" }).first().click();
    await page.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByText("URL is required")).toBeVisible();
    await page.getByLabel("URL").fill(url);
    await page.getByLabel("Description").fill("The shop");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add webhook" }).click();
    const secret = (await page.getByLabel("Signing secret", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have saved it" }).click();
    await expectAccessible(page);
    await page.getByRole("link", { name: url }).click();
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByRole("row", { name: /webhook\.test/ })).toContainText("Delivered", {
      timeout: 20_000,
    });
    const [first] = heard;
    const signed = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(`${first?.id}.${first?.at}.${first?.body}`)
      .digest("base64");
    expect(first?.signature).toContain(`v1,${signed}`);
    await page.getByRole("button", { name: /^Details of/ }).click();
    await expect(page.getByRole("dialog")).toContainText('"webhook.test"');
    await expectAccessible(page);
    await page.getByRole("button", { name: "Deliver again" }).click();
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(2);
    expect(heard[1]?.id).toBe(first?.id);
    await expectAccessible(page);
    await shoot(page, "webhook");
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    await expect(page.getByLabel("Signing secret", { exact: true })).toContainText("whsec_");
    await page.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByText("This webhook is off")).toBeVisible();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await expect(page.getByText("No webhooks yet")).toBeVisible();
  } finally {
    receiver.close();
  }
});
