import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

test.use({ allowed: [/400.*(request-virtual-number|voice-call)/] });

test.beforeEach(async ({ daemon }) => {
  const admin = await daemon.admin();
  await daemon.call("POST", "/admin/set-voice-unit-price", admin, { price: 0.5 });
  await daemon.call("POST", "/admin/set-virtual-unit-price", admin, { price: 0.3 });
  await daemon.call("POST", "/admin/set-own-number-unit-price", admin, { price: 0.2 });
  await daemon.call("POST", "/admin/set-voice-unit-price-naira", admin, { price: 9 });
});

test("a virtual number is requested, assigned, and offered to call from", async ({ page, daemon }) => {
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/text-to-speech");
  await page.getByRole("link", { name: "request a virtual number" }).click();
  await expect(page.getByRole("heading", { name: "Virtual Numbers" })).toBeVisible();
  await expect(page.getByText("Calls from it cost 0.30000 ESPEES or ₦9.00000 a pulse.")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "numbers-virtual-none");
  await page.getByRole("button", { name: "Request a virtual number" }).click();
  await expect(page.getByText(/Your request was received/)).toBeVisible();
  await expect(page.getByRole("row", { name: /Not assigned yet/ })).toContainText("Pending");
  await page.getByRole("button", { name: "Request a virtual number" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /request/i })).toBeVisible();
  await daemon.call("POST", `/admin/approve-virtual-number/${ada.id}`, await daemon.admin(), {
    virtual_num: "2342012345678",
  });
  await page.reload();
  await expect(page.getByRole("row", { name: /\+234 201 234 5678/ })).toContainText("Approved");
  await expectAccessible(page);
  await shoot(page, "numbers-virtual");
  await page.goto("/dashboard/text-to-speech");
  await page.getByLabel("Calls come from").selectOption("virtual_number 2342012345678");
  await expect(page.getByText("0.30000 ESPEES a pulse")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "numbers-caller");
});

test("an own number says what its call costs, and what is missing", async ({ page, daemon }) => {
  await signInAs(page, daemon, await daemon.customer());
  await page.goto("/dashboard");
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: "Own Numbers" })
    .click();
  await expect(page.getByRole("heading", { name: "Own Numbers" })).toBeVisible();
  await expect(page.getByText("0.20000 ESPEES a pulse")).toBeVisible();
  await expect(page.getByText("₦9.00000 a pulse")).toBeVisible();
  await page.getByRole("button", { name: "Call me with a code" }).click();
  await expect(page.getByText("Please enter your phone number")).toBeVisible();
  await expect(page.getByText("Payment method is required")).toBeVisible();
  await expect(page.getByLabel("Phone number")).toBeFocused();
  await expectAccessible(page);
  await shoot(page, "numbers-own-none");
});

test("an own number is called, verified by the code that it hears, and offered to call from", async ({
  page,
  daemon,
}) => {
  const ada = await daemon.customer();
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/own-numbers");
  await page.getByLabel("Phone number").fill("0803 444 0001");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("button", { name: "Call me with a code" }).click();
  await expect(page.locator(".toasts").getByText("Code sent")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Call me again in \d+ s$/ })).toBeDisabled();
  const form = page.getByRole("form", { name: "Enter the code" });
  await expect(form.getByRole("status")).toContainText(/answered/i);
  await expectAccessible(page);
  await shoot(page, "numbers-own-code");
  const code = await daemon.code("08034440001");
  await form.getByLabel("Digit 1 of 6").fill(code === "000000" ? "000001" : "000000");
  await expect(form.getByLabel("Digit 1 of 6")).toHaveAttribute("aria-invalid", "true");
  await form.getByLabel("Digit 1 of 6").fill(code);
  await expect(page.getByText("Number verified")).toBeVisible();
  await expect(page.getByRole("row", { name: /\+234 803 444 0001/ })).toContainText("Verified");
  await expectAccessible(page);
  await shoot(page, "numbers-own");
  await page.goto("/dashboard/text-to-speech");
  await page.getByLabel("Calls come from").selectOption("own_number 2348034440001");
  await expect(page.getByText("0.20000 ESPEES a pulse")).toBeVisible();
  await page.goto("/dashboard/own-numbers");
  await page.getByRole("button", { name: "Withdraw +234 803 444 0001" }).click();
  const question = page.getByRole("dialog", { name: "Withdraw +234 803 444 0001?" });
  await expect(question).toContainText("campaigns that call from it pause");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("No own numbers yet")).toBeVisible();
});

test("a call to verify a number that is busy is given back", async ({ page, daemon }) => {
  await signInAs(page, daemon, await daemon.customer());
  await page.goto("/dashboard/own-numbers");
  await page.getByLabel("Phone number").fill("08034449101");
  await page.getByRole("radio", { name: /Naira balance/ }).check();
  await page.getByRole("button", { name: "Call me with a code" }).click();
  const form = page.getByRole("form", { name: "Enter the code" });
  await expect(form.getByRole("status")).toContainText("was refunded.", { timeout: 60_000 });
});
