import { expect, test } from "vitest";
import { PAGES, RESOURCE_PAGES } from "../routes";
import { activeEntry, MENU } from "./menu";

test("every entry of the menu leads to a page", () => {
  const known = new Set(["", ...PAGES.map(({ path }) => path), ...RESOURCE_PAGES.map(({ name }) => name)]);
  for (const { path } of MENU.flatMap((group) => group.entries)) expect(known, path).toContain(path);
});

test("the entry of the page is highlighted, also on pages below it", () => {
  expect(activeEntry("/dashboard/admin")).toBe("");
  expect(activeEntry("/dashboard/admin/announcement/3")).toBe("announcement");
  expect(activeEntry("/dashboard/admin/unheard-of")).toBeNull();
});
