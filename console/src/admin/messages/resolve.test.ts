import { expect, test } from "vitest";
import type { Message } from "../list/messageColumns";
import { resolutions } from "./resolve";

const message = (id: number, campaign_id: number, price: number, currency: string): Message => ({
  id,
  campaign_id,
  price,
  currency,
  to: "2348031234567",
  network: "mtn",
  pages: 1,
  senderid: "ACME",
  status: "unknown",
});

test("each way of settling says what becomes of the money of the chosen messages", () => {
  const [sent, refunded, resend] = resolutions({
    rows: [message(1, 5, 4.5, "naira"), message(2, 5, 4.5, "naira")],
  });
  expect(sent?.text).toContain("₦9.00 is charged for 2 messages");
  expect(refunded?.text).toContain("₦9.00 goes back to the wallet");
  expect(resend?.not).toBeUndefined();
});

test("messages of several campaigns cannot be sent again together: a quote has one text and one payer", () => {
  const all = resolutions({ rows: [message(1, 5, 4.5, "naira"), message(2, 6, 1, "espees")] });
  expect(all.find((it) => it.outcome === "resend")?.not).toContain("several campaigns");
  expect(all[0]?.text).toContain("₦4.50 and 1.00 ESPEES");
});

test("of a whole campaign only a part of the reserve is meant", () => {
  const [sent] = resolutions({
    kind: "text",
    campaign: 5,
    count: 3_000,
    reserved: { value: 90_000, currency: "naira" },
  });
  expect(sent?.text).toContain("Their part of the ₦90,000.00 reserved is charged for 3,000 messages");
});

test("calls are settled as answered or not, and called again", () => {
  const calls = { kind: "voice", campaign: 5, count: 3, reserved: { value: 54, currency: "naira" } };
  expect(resolutions(calls).map((it) => it.label)).toEqual([
    "They were answered",
    "They were not answered",
    "Call them again",
  ]);
  expect(resolutions(calls)[0]?.text).toBe("Their part of the ₦54.00 reserved is charged for 3 calls.");
});
