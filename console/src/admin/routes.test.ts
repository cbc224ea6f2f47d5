import { expect, test } from "vitest";
import { activeEntry, MENU } from "./layout/menu";
import { PAGES, RESOURCE_PAGES } from "./routes";

test("every entry of the menu leads to a page", () => {
  const known = new Set(["", ...PAGES.map(({ path }) => path), ...RESOURCE_PAGES.map(({ name }) => name)]);
  for (const { path } of MENU.flatMap((group) => group.entries)) expect(known, path).toContain(path);
});

test("the entry of the page is highlighted, also on pages below it", () => {
  expect(activeEntry("/dashboard/admin")).toBe("");
  expect(activeEntry("/dashboard/admin/announcement/3")).toBe("announcement");
  expect(activeEntry("/dashboard/admin/unheard-of")).toBeNull();
});

test("every address of the specification is a page", () => {
  const known = [...PAGES.map(({ path }) => path), ...RESOURCE_PAGES.map(({ name }) => name)];
  const specified =
    "set-wallet-address announcement set-sms-unit-price set-paystack-unit-price set-voice-unit-price set-paystack-keys " +
    "set-sms-api-key set-espee-api-key approve-sender-id approve-virtualNumber own-numbers manage-users message-users " +
    "assign-espees assign-naira voice-reports campaign-history set-contact-address set-contact-phone set-contact-email set-pricing " +
    "maintainance";
  expect(known).toEqual(expect.arrayContaining(specified.split(" ")));
  const users = RESOURCE_PAGES.find(({ name }) => name === "manage-users");
  expect(users?.more?.map(({ path }) => path)).toContain("user/:id");
});
