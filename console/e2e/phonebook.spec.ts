import { readFileSync } from "node:fs";
import { expect, expectAccessible, shoot, signInAs, test } from "./harness";

test("a customer makes a group, keeps contacts in it and deletes it", async ({ page, daemon }) => {
  const ada = await daemon.customer({});
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard/phonebook");
  await expect(page.getByText("No groups yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New group" }).first().click();
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByText("Please provide a group name.")).toBeVisible();
  await page.getByLabel("Group name").fill("Customers in Lagos");
  await page.getByLabel("Description").fill("Who bought since March");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByText("Group Created")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Customers in Lagos" })).toBeVisible();

  await page.getByRole("button", { name: "New contact" }).first().click();
  await page.getByRole("button", { name: "Add contact" }).click();
  await expect(page.getByText("Please provide a phone number.")).toBeVisible();
  await page.getByLabel("Phone number").fill("0803 123 4567");
  await page.getByLabel("Name", { exact: true }).fill("Ada Obi");
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.getByLabel("Field 1", { exact: true }).fill("city");
  await page.getByLabel("Value 1", { exact: true }).fill("Lagos");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add contact" }).click();
  await expect(page.getByText("Contact created successfully")).toBeVisible();
  const row = page.getByRole("row", { name: /Ada Obi/ });
  await expect(row).toContainText("+234 803 123 4567");
  await expect(row).toContainText("Lagos");

  await page.getByRole("button", { name: "Edit Ada Obi" }).click();
  await page.getByLabel("Value 1", { exact: true }).fill("");
  await page.getByLabel("Name", { exact: true }).fill("Ada Nwosu");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Contact updated successfully")).toBeVisible();
  await expect(page.getByRole("row", { name: /Ada Nwosu/ })).not.toContainText("Lagos");
  await expectAccessible(page);
  await shoot(page, "phonebook-group");

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByLabel("Group name").fill("Lagos");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Group Edit")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Lagos", exact: true })).toBeVisible();
  await page.goto("/dashboard/phonebook");
  await shoot(page, "phonebook");
  await page.getByRole("button", { name: "Delete Lagos" }).click();
  await expect(page.getByText("Its one contact goes with it.")).toBeVisible();
  await page.getByRole("button", { name: "Delete group" }).click();
  await expect(page.getByText("No groups yet")).toBeVisible();
});

test("a group is deleted on its own page too", async ({ page, daemon }) => {
  const ada = await daemon.customer({});
  await signInAs(page, daemon, ada);
  const { group } = await daemon.call<{ group: { id: number } }>("POST", "/api/create/group", ada.token, {
    group_name: "Abuja",
  });
  await page.goto(`/dashboard/phonebook/${group.id}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete group" }).click();
  await expect(page).toHaveURL(/\/dashboard\/phonebook$/);
  await expect(page.getByText("No groups yet")).toBeVisible();
});

test("a customer imports a dirty file of 5,000 contacts, sees what was taken, and has the rejects", async ({
  page,
  daemon,
}, info) => {
  const bola = await daemon.customer({});
  await signInAs(page, daemon, bola);
  await page.goto("/dashboard/upload-contacts");
  await page.getByRole("button", { name: "Upload contacts" }).click();
  await expect(page.getByText("Please provide a file and group name.").first()).toBeVisible();

  const rows = ["Customer;GSM No;Other line;E-mail;City;Notes"];
  for (let at = 0; at < 5000; at++) {
    const number = at % 100 === 0 ? "not a number" : `0803${String(2_000_000 + (at % 4900))}`;
    const email = at % 500 === 1 ? "broken at example" : `c${at}@example.com`;
    rows.push(`"Customer, ${at}";${number};;${email};Lagos;secret`);
  }
  const file = {
    name: "dirty.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`\uFEFF${rows.join("\r\n")}\r\n`),
  };
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByLabel("GSM No is")).toHaveValue("phone");
  await expect(page.getByLabel("E-mail is")).toHaveValue("email");
  await page.getByLabel("Notes is").selectOption("ignore");
  await page.getByLabel("Group name").fill("Spring");
  await expectAccessible(page);
  await shoot(page, "upload-contacts");
  await page.getByRole("button", { name: "Upload contacts" }).click();
  await expect(page).toHaveURL(/\/dashboard\/phonebook\/imports\/\d+$/);
  await expect(page.getByText(/^Import finished/)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Rows read").locator("..")).toContainText("5,000");
  await expect(page.getByText("Rejected", { exact: true }).locator("..")).toContainText("50");
  await expect(page.getByText(/Numbers from "GSM No"/i)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "import");
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rejects" }).click();
  const rejects = info.outputPath("rejects.csv");
  await (await waiting).saveAs(rejects);
  expect(readFileSync(rejects, "utf8")).toContain("not a number");

  await page.getByRole("link", { name: "Open the group" }).click();
  await expect(page.getByRole("heading", { name: "Spring" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "notes" })).toHaveCount(0);
  await page.getByLabel("Search number, name or email").fill("c77@example.com");
  await expect(page.getByRole("row", { name: /Customer, 77/ })).toBeVisible();
  await expect(page.getByText("1-1 of 1")).toBeVisible();
  await page.goto("/dashboard/phonebook/imports");
  await expect(page.getByRole("row", { name: /Completed/ })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "imports");
  await page.goto("/dashboard/phonebook/contacts");
  await expect(page.getByRole("link", { name: "Spring" }).first()).toBeVisible();
  await expectAccessible(page);
});

test("numbers are opted out by hand and by a file, and taken back", async ({ page, daemon }) => {
  const chidi = await daemon.customer({});
  await signInAs(page, daemon, chidi);
  await page.goto("/dashboard/phonebook/opt-outs");
  await page.getByRole("button", { name: "Add a number" }).first().click();
  await page.getByLabel("Phone number").fill("0803 123 4567");
  await page.getByLabel("Note", { exact: true }).fill("asked by phone");
  await page.getByRole("button", { name: "Add to opt-outs" }).click();
  const row = page.getByRole("row", { name: /803 123 4567/ });
  await expect(row).toContainText("Added by hand");
  await page.getByRole("link", { name: "Upload a list" }).click();
  await page.locator("input[type=file]").setInputFiles({
    name: "stop.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("08031234568\n08031234569\n"),
  });
  await page.getByRole("button", { name: "Upload opt-outs" }).click();
  await expect(page.getByText(/^Import finished/)).toBeVisible();
  await page.getByRole("link", { name: "Show opt-outs" }).click();
  await expect(page.getByText("1-3 of 3")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "opt-outs");
  await page.getByRole("button", { name: "Remove +234 803 123 4567" }).click();
  await page.getByRole("button", { name: "Remove from opt-outs" }).click();
  await expect(page.getByText("The number gets messages again")).toBeVisible();
  await expect(page.getByText("1-2 of 2")).toBeVisible();
});
