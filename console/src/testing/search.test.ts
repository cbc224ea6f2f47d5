import { expect, test } from "vitest";
import { find as findOfAdmin } from "../admin/layout/Search";
import { find } from "../app/layout/Search";
import { campaignOf } from "./campaign";
import { signedIn } from "./render";
import { answers } from "./server";

test("a customer finds campaigns, groups and numbers", async () => {
  const user = signedIn();
  answers("get", "/api/get-campaign-history", {
    campaigns: [campaignOf({ delivered: 2 }, { msg: "Sale" })],
    total: 1,
  });
  answers("get", "/api/get/group", { groups: [{ id: 3, group_name: "Sales" }], total: 1 });
  expect((await find("sal")).map((it) => it.to)).toEqual([
    "/dashboard/campaigns/12",
    "/dashboard/phonebook/3",
  ]);
  expect((await find("0803 123 4567"))[0]?.to).toBe("/dashboard/messages?number=08031234567");
  expect(user.role).toBe("user");
});

test("an administrator finds users of any status, campaigns by number, and numbers", async () => {
  const user = signedIn({ role: "admin" });
  answers("get", "/admin/get-all-active-users", { active_users: [user], total: 1 });
  answers("get", "/admin/get-all-inactive-users", {
    inactive_users: [{ ...user, id: 8, username: "ade", status: "inactive" }],
    total: 1,
  });
  answers("get", "/admin/get-all-camapaign-history", { campaigns: [], total: 0 });
  const hits = await findOfAdmin("ad");
  expect(hits.map((it) => it.to)).toEqual([
    "/dashboard/admin/manage-users/user/7",
    "/dashboard/admin/manage-users/user/8",
  ]);
  expect(hits[1]?.about).toBe("Ada Obi, inactive");
  expect((await findOfAdmin("#12"))[0]?.to).toBe("/dashboard/admin/campaign-history/12");
  expect((await findOfAdmin("08031234567"))[0]?.group).toBe("Number");
});
