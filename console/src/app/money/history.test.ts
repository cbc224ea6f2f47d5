import { expect, test } from "vitest";
import { kindOf } from "../../design/transactionKind";
import { reasonOf } from "./history";

test("a transfer is named by its direction, and a kind that is new by its own name", () => {
  expect(kindOf({ kind: "transfer", direction: "debit" })).toBe("Transfer sent");
  expect(kindOf({ kind: "transfer", direction: "credit" })).toBe("Transfer received");
  expect(kindOf({ kind: "reserve", direction: "debit" })).toBe("Reserved for a campaign");
  expect(kindOf({ kind: "bonus", direction: "credit" })).toBe("bonus");
});

test("a payment that was not credited is not said to be", () => {
  const payment = { kind: "payment", direction: "credit", status: "failed" } as Parameters<
    typeof reasonOf
  >[0];
  expect(reasonOf(payment)).toContain("has not been added");
  expect(reasonOf({ ...payment, status: "successful" })).toContain("added to your account");
});
