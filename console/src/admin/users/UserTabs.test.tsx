import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { paths } from "../../api/schema";
import { showAdmin } from "../../testing/admin";
import { answers } from "../../testing/server";
import { dataProvider } from "../dataProvider";
import type { UserDetails } from "./details";
import { UserTabs } from "./UserTabs";

const at = "2026-11-21T08:00:00Z";
const whose = { user_id: 7, username: "ada", created_at: at };

const details = {
  user: { id: 7, username: "ada" },
  campaigns: [],
  transactions: [],
  sender_ids: [],
  voice_sms: [
    {
      ...whose,
      id: 1,
      broadcastId: 12,
      msg: "Practice is at five",
      msgLength: 65,
      ttsVoice: "us-male",
      status: "completed",
      no_of_contacts: 3,
      no_of_sent_contacts: 2,
      no_of_failed_contacts: 1,
      failed_contacts: "2348031239104",
      units: 2,
      currency: "naira",
      espees_deducted: 0,
      naira_deducted: 18,
      refunded_amount: 9,
      reserved: 0,
    },
  ],
  virtual_numbers: [
    { ...whose, id: 1, virtual_num: "2342012345678", status: "approved" },
    { ...whose, id: 2, virtual_num: null, status: "pending" },
  ],
  own_numbers: [{ ...whose, id: 1, phone_number: "2348031234567", status: "verified" }],
  totals: { campaigns: 0, transactions: 0, sender_ids: 0, voice_sms: 1, virtual_numbers: 2, own_numbers: 1 },
} as unknown as UserDetails;

test("a user's calls, virtual numbers and own numbers are listed in their tabs", async () => {
  const { user } = showAdmin(<UserTabs details={details} />, "manage-users/user/7");
  await user.click(screen.getByRole("tab", { name: "Voice SMS (1)" }));
  const call = await screen.findByRole("row", { name: /Practice is at five/ });
  for (const part of ["US, male, 1 min 5 s", "2 of 3", "₦18.00", "₦9.00", "Completed"]) {
    expect(call).toHaveTextContent(part);
  }
  expect(screen.getByRole("link", { name: "Practice is at five" })).toHaveAttribute(
    "href",
    "/dashboard/admin/campaign-history/12",
  );
  await user.click(screen.getByRole("tab", { name: "Virtual Number (2)" }));
  expect(await screen.findByRole("row", { name: /\+2342012345678 Approved/ })).toBeVisible();
  expect(screen.getByRole("row", { name: /Not assigned yet Pending/ })).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Own Number (1)" }));
  expect(await screen.findByRole("row", { name: /\+2348031234567 Verified/ })).toBeVisible();
});

type Asked<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;

/** A tab, the list that its link leads to, and what that list is asked: parameters that the API knows. */
function way<P extends keyof paths>(tab: string, path: P, asked: Asked<P>) {
  return [tab, path, asked] as const;
}

const WAYS = [
  way("Messages", "/admin/get-all-camapaign-history", { user_id: "7" }),
  way("Voice SMS", "/admin/get-all-camapaign-history", { user_id: "7", type: "voice" }),
  way("Transactions", "/admin/get-all-transactions", { user_id: "7" }),
  way("Sender ID", "/admin/get-sender-ids", { q: "ada" }),
  way("Virtual Number", "/admin/get-virtual-numbers", { q: "ada" }),
  way("Own Number", "/admin/get-own-numbers", { q: "ada" }),
];

test.each(WAYS)("the way to all rows of %s asks what the API answers", async (tab, path, asked) => {
  const of = (total: number) => Object.fromEntries(Object.keys(details.totals).map((key) => [key, total]));
  const { user } = showAdmin(
    <UserTabs details={{ ...details, totals: of(500) } as unknown as UserDetails} />,
    "manage-users/user/7",
  );
  await user.click(screen.getByRole("tab", { name: `${tab} (500)` }));
  const link = await screen.findByRole("link", { name: "Show them all" });
  const address = new URL(link.getAttribute("href") ?? "", "http://localhost");
  const seen: URLSearchParams[] = [];
  const lists = ["campaigns", "Transactions", "senderids", "virtual-Number", "Own-Number"];
  const none = { total: 0, ...Object.fromEntries(lists.map((list) => [list, []])) };
  answers("get", path, none, 200, (request) => void seen.push(new URL(request.url).searchParams));
  const resource = address.pathname.split("/").at(-1) ?? "";
  const filter = JSON.parse(address.searchParams.get("filter") ?? "{}");
  await dataProvider.getList(resource, { filter });
  expect(Object.fromEntries(seen[0] ?? [])).toEqual({ page: "1", per_page: "20", ...asked });
});
