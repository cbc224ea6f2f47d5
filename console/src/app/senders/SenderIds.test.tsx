import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers } from "../../testing/server";
import SenderIds from "./SenderIds";

test("a customer sees what messages from each sender ID are for", async () => {
  signedIn();
  const sender = (id: number, sender_id: string, purpose: string | null) => ({
    id,
    sender_id,
    status: "approved",
    purpose,
    created_at: "2026-11-21T08:00:00Z",
  });
  answers("get", "/api/get-sender-id", {
    senderId: [sender(1, "ACME", "transactional"), sender(2, "SHOP", null)],
    total: 2,
  });
  show(<SenderIds />);
  const row = async (text: string) => (await screen.findByText(text)).closest("tr") as HTMLElement;
  expect(await row("ACME")).toHaveTextContent("Alerts and receipts");
  expect(await row("SHOP")).not.toHaveTextContent(/Alerts|Codes|Advertising/);
});
