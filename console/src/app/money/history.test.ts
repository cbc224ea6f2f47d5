import { expect, test } from "vitest";
import { dayAfter, kindOf, reasonOf } from "./history";

test("the last day of a range is in it", () => {
  expect(dayAfter("2026-11-30")).toBe("2026-12-01");
  expect(dayAfter("2028-02-28")).toBe("2028-02-29");
  expect(dayAfter("")).toBe("");
});

test("a transfer is named by its direction, and a kind that is new by its own name", () => {
  expect(kindOf({ kind: "transfer", direction: "debit" })).toBe("Transfer sent");
  expect(kindOf({ kind: "transfer", direction: "credit" })).toBe("Transfer received");
  expect(kindOf({ kind: "reserve", direction: "debit" })).toBe("Campaign charge");
  expect(kindOf({ kind: "bonus", direction: "credit" })).toBe("bonus");
});

test("a payment that was not credited is not said to be", () => {
  const payment = { kind: "payment", direction: "credit", status: "failed" } as Parameters<
    typeof reasonOf
  >[0];
  expect(reasonOf(payment)).toContain("has not been added");
  expect(reasonOf({ ...payment, status: "successful" })).toContain("added to your account");
});
