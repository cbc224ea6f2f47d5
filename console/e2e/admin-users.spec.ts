import { ADMIN } from "./daemon";
import { expect, expectAccessible, shoot, signIn, test } from "./harness";

// Long ways, each as an administrator goes it in one sitting.
test.setTimeout(180_000);

test("users are found, disabled, activated and deleted, each time knowing what happens", async ({
  page,
  daemon,
}) => {
  const ada = await daemon.customer({ naira: 500, espees: 2 });
  const bola = await daemon.customer({});
  await daemon.call("POST", "/api/request-senderid", ada.token, { sender_ids: ["SHOP"] });
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/manage-users");
  await expect(page.getByRole("row", { name: new RegExp(bola.username) })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-users");
  await page.getByRole("searchbox", { name: "Search by username, email or phone" }).fill(ada.username);
  await expect(page.getByRole("row", { name: new RegExp(bola.username) })).toBeHidden();
  await page.getByRole("link", { name: `View ${ada.username}` }).click();
  await expect(page).toHaveURL(new RegExp(`manage-users/user/${ada.id}$`));
  await expect(page.getByRole("region", { name: "Naira balance" })).toContainText("₦500.00");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Transactions (2)" }).click();
  await expect(page.getByRole("row", { name: /₦500/ }).first()).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-user");
  await page.getByRole("tab", { name: "Sender ID (1)" }).click();
  await expect(page.getByRole("cell", { name: "SHOP" })).toBeVisible();
  for (const tab of ["Voice SMS (0)", "Virtual Number (0)", "Own Number (0)", "Messages (0)"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByText("It is shown here as soon as there is something.")).toBeVisible();
  }
  await page.getByRole("button", { name: "Details" }).click();
  await expect(page.getByRole("dialog")).toContainText(ada.email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("dialog")).toContainText("0 campaigns");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText(`${ada.username} is inactive now`)).toBeVisible();
  await page.getByRole("button", { name: "Activate" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Activate" }).click();
  await expect(page.getByText(`${ada.username} is active now`)).toBeVisible();
  await page.getByRole("button", { name: "Delete User" }).click();
  await expect(page.getByRole("dialog")).toContainText(/₦500\.00.* can never be spent/);
  const deletion = page.getByRole("dialog");
  await expect(deletion.getByRole("button", { name: "Delete User" })).toBeDisabled();
  await deletion.getByLabel(/^Type .* to confirm$/).fill(ada.username);
  await deletion.getByRole("button", { name: "Delete User" }).click();
  await expect(page).toHaveURL(/manage-users(\?|$)/);
  await page.getByRole("tab", { name: "Inactive" }).click();
  await expect(page.getByRole("row", { name: new RegExp(ada.username) })).toBeHidden();
});

test.describe("a refusal", () => {
  test.use({ allowed: async ({}, use) => use([/409/]) });

  test("a customer's data is put under a legal hold, which a deletion is refused for, and lifted", async ({
    page,
    daemon,
  }) => {
    const ada = await daemon.customer({});
    await signIn(page, daemon, await daemon.admin());
    await page.goto(`/dashboard/admin/manage-users/user/${ada.id}`);
    await page.getByRole("button", { name: "Put hold" }).click();
    const dialog = page.getByRole("dialog");
    await expectAccessible(page);
    await dialog.getByLabel("Reason").fill("Court order 17/2026");
    await shoot(page, "admin-user-hold-dialog", false);
    await dialog.getByRole("button", { name: "Put hold" }).click();
    await expect(page.getByText("Court order 17/2026")).toBeVisible();
    await expectAccessible(page);
    await shoot(page, "admin-user-hold");
    await page.getByRole("button", { name: "Delete User" }).click();
    const deletion = page.getByRole("dialog");
    await deletion.getByLabel(/^Type .* to confirm$/).fill(ada.username);
    await deletion.getByRole("button", { name: "Delete User" }).click();
    await expect(page.getByText(/is under a legal hold: nothing of it is erased/)).toBeVisible();
    await page.reload();
    await page.getByRole("button", { name: "Lift hold" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift hold" }).click();
    await expect(page.getByRole("button", { name: "Put hold" })).toBeVisible();
  });
});

test("a word that is typed just before a tab is pressed is kept, and so is the tab", async ({
  page,
  daemon,
}) => {
  const [ada, bola] = [await daemon.customer({}), await daemon.customer({})];
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/manage-users");
  await expect(page.getByRole("row", { name: new RegExp(ada.username) })).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search by username, email or phone" });
  await search.fill(ada.username);
  await page.getByRole("tab", { name: "Inactive" }).click();
  await expect(page.getByText("Nothing fits")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Inactive", selected: true })).toBeVisible();
  await page.getByRole("tab", { name: "Active", exact: true }).click();
  await expect(page.getByRole("row", { name: new RegExp(ada.username) })).toBeVisible();
  await expect(search).toHaveValue(ada.username);
  await expect(page.getByRole("row", { name: new RegExp(bola.username) })).toBeHidden();
});

test("a user is made, and one and all are messaged", async ({ page, daemon }) => {
  const idle = await daemon.customer({});
  await daemon.call("POST", `/admin/deactivate-user/${idle.id}`, await daemon.admin());
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/manage-users/create");
  await page.getByLabel("Name", { exact: true }).fill("Chidi Eze");
  await page.getByLabel("Username").fill("chidi");
  await page.getByLabel("Email", { exact: true }).fill("chidi@example.com");
  await page.getByLabel("Phone number").fill("08035550001");
  await page.getByLabel("Password", { exact: true }).fill("a-long-enough-password");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByRole("heading", { name: "chidi" })).toBeVisible();
  await page.goto("/dashboard/admin/message-users");
  // All users: administrators too, and inactive ones under their tab.
  await expect(page.getByRole("button", { name: `Message User ${ADMIN.username}` })).toBeVisible();
  await page.getByRole("tab", { name: "Inactive" }).click();
  await expect(page.getByRole("button", { name: `Message User ${idle.username}` })).toBeVisible();
  await page.getByRole("tab", { name: "Active", exact: true }).click();
  await page.getByRole("button", { name: "Message User chidi" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Please enter a message")).toBeVisible();
  await page.getByRole("dialog").getByLabel("Message").fill("Your payment has come in.");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Message is on its way to the user")).toBeVisible();
  await page.getByRole("button", { name: "Message all users" }).click();
  await expect(page.getByRole("dialog")).toContainText(/\d+ users get it/);
  await page.getByRole("dialog").getByLabel("Message").fill("We are back.");
  await page.getByRole("button", { name: "Send to all" }).click();
  await expect(page.getByRole("row", { name: /We are back/ })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "admin-message-users");
});

test("a failed payment is corrected once, and the audit trail says by whom", async ({ page, daemon }) => {
  const ada = await daemon.customer({ naira: 100 });
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin/assign-naira");
  await page.getByRole("button", { name: "Assign Naira" }).click();
  await expect(page.getByText("Kindly input Naira amount")).toBeVisible();
  await expect(page.getByText("Kindly input User's ID")).toBeVisible();
  await page.getByLabel("User", { exact: true }).fill(ada.username);
  await page.getByRole("option", { name: new RegExp(`^${ada.username},`) }).click();
  await page.getByLabel("Amount in Naira").fill("250.5");
  await page.getByLabel("Payment Ref").fill("ref-1");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Assign Naira" }).click();
  await expect(page.getByRole("dialog")).toContainText("₦100.00 to about 350.50");
  await shoot(page, "admin-assign-naira");
  await page.getByRole("dialog").getByRole("button", { name: "Assign Naira" }).click();
  await expect(page.getByText(/the balance is ₦350.50 now/)).toBeVisible();
  await page.goto(`/dashboard/admin/assign-espees?user=${ada.id}`);
  await expect(page.getByLabel("User", { exact: true })).toHaveValue(new RegExp(ada.username));
  await page.getByRole("button", { name: "Assign ESPEES" }).click();
  await expect(page.getByText("Kindly input Payment Ref")).toBeVisible();
  await page.goto("/dashboard/admin/audit-trail");
  await expect(page.getByRole("row", { name: /250.5/ }).first()).toContainText("admin");
  await expectAccessible(page);
  await shoot(page, "admin-audit");
});
