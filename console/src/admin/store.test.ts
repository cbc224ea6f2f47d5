import { expect, test } from "vitest";
import { adminStore, forgetAdmin } from "./store";

test("saved filters survive the end of a session, and not logging out", () => {
  adminStore.setItem("campaign-history.filters", "failed");
  adminStore.reset();
  expect(adminStore.getItem("campaign-history.filters")).toBe("failed");
  forgetAdmin();
  expect(adminStore.getItem("campaign-history.filters")).toBeUndefined();
});
