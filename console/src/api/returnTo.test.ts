import { beforeEach, expect, test } from "vitest";
import { landingOf, returnTo } from "./returnTo";

const USER = { role: "user" };

beforeEach(() => returnTo.drop());

test("sign-in leads back to the page that was asked for", () => {
  returnTo.keep("/dashboard/campaigns/12?status=failed");
  expect(landingOf(USER, "/dashboard")).toBe("/dashboard/campaigns/12?status=failed");
  returnTo.drop();
  expect(landingOf(USER, "/dashboard")).toBe("/dashboard");
});

test("nothing outside of the dashboard is kept, and no customer is led into the administration", () => {
  for (const address of ["https://example.com/", "//example.com/dashboard/", "/dashboardx", "/about"]) {
    returnTo.keep(address);
    expect(returnTo.peek()).toBeNull();
  }
  returnTo.keep("/dashboard/admin/carriers");
  expect(landingOf(USER, "/dashboard")).toBe("/dashboard");
  expect(landingOf({ role: "admin" }, "/dashboard/admin")).toBe("/dashboard/admin/carriers");
});
