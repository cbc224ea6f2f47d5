import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
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
