import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem } from "../../testing/server";
import SenderList from "./SenderList";
import { canApprove, canReject, reasonProblem } from "./transitions";

const sender = (id: number, sender_id: string, status: string) => ({
  id,
  sender_id,
  status,
  user_id: 7,
  username: "ada",
  created_at: "2026-11-21T08:00:00Z",
});

test("a sender ID can be approved unless it is, and rejected while it is pending or approved", () => {
  const able = (status: string) => [canApprove({ status }), canReject({ status })];
  expect(able("pending")).toEqual([true, true]);
  expect(able("approved")).toEqual([false, true]);
  expect(able("disapproved")).toEqual([true, false]);
  expect(able("rejected")).toEqual([true, false]);
  expect(reasonProblem("  ")).toBe("Reason is required");
  expect(reasonProblem("x".repeat(501))).toContain("at most 500");
});

test("several are approved one by one; what was refused is said and stays chosen", async () => {
  const senderids = [
    sender(1, "ACME", "pending"),
    sender(2, "BANK", "pending"),
    sender(3, "SHOP", "approved"),
  ];
  const approved: string[] = [];
  answers("get", "/admin/get-sender-ids", { senderids, total: 3 });
  const done = { message: "Sender ID approved successfully!", campaigns_paused: 0, senderId: senderids[0] };
  answers("post", "/admin/approve-senderid/1", done, 200, () => void approved.push("ACME"));
  answers("post", "/admin/approve-senderid/2", problem(409, "conflict", "It was withdrawn"), 409);
  const { user } = showAdmin(<SenderList />, "approve-sender-id");
  await user.click(await screen.findByRole("checkbox", { name: "Choose all rows of this page" }));
  const bar = screen.getByRole("toolbar", { name: "With the chosen rows" });
  expect(bar).toHaveTextContent("3 chosen");
  await user.click(within(bar).getByRole("button", { name: "Approve" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("ACME, BANK");
  expect(dialog).toHaveTextContent("1 of the chosen rows cannot take this and is left alone.");
  await user.click(within(dialog).getByRole("button", { name: "Approve 2" }));
  expect(await screen.findByText("1 was refused: It was withdrawn")).toBeVisible();
  expect(approved).toEqual(["ACME"]);
  expect(bar).toHaveTextContent("1 chosen");
});

test("a sender ID's default purpose is listed and changed", async () => {
  const senderids = [
    { ...sender(1, "ACME", "approved"), purpose: "promotional" },
    { ...sender(2, "BANK", "pending"), purpose: null },
  ];
  answers("get", "/admin/get-sender-ids", { senderids, total: 2 });
  const sent: unknown[] = [];
  answers("put", "/admin/sender-ids/2/purpose", { id: 2, purpose: "otp" }, 200, async (request) => {
    sent.push(await request.json());
  });
  const { user } = showAdmin(<SenderList />, "approve-sender-id");
  const row = async (text: string) => (await screen.findByText(text)).closest("tr") as HTMLElement;
  expect(await row("ACME")).toHaveTextContent("Advertising");
  expect(await row("BANK")).not.toHaveTextContent("Advertising");
  await user.click(screen.getByRole("button", { name: "Purpose of BANK" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Default purpose of BANK" }));
  expect(dialog.getByLabelText("Messages are for")).toHaveDisplayValue("As set for the account");
  await user.selectOptions(dialog.getByLabelText("Messages are for"), "Codes");
  await user.click(dialog.getByRole("button", { name: "Save purpose" }));
  expect(await screen.findByText("Messages of BANK are for: Codes")).toBeVisible();
  expect(sent).toEqual([{ purpose: "otp" }]);
});
