import { expect, test } from "vitest";
import { currencyOf, decimal, formatMoney, formatUnitPrice, formatWhole, micros, moneyOf } from "./money";

test("the daemon's numbers and people's texts become whole micro-units", () => {
  expect(micros(0.1)).toBe(100_000n);
  expect(micros(1234567.123456)).toBe(1_234_567_123_456n);
  expect(micros(0.000001)).toBe(1n);
  expect(micros("12.5")).toBe(12_500_000n);
  expect(micros("-3")).toBe(-3_000_000n);
  expect(micros("1.2345678")).toBeNull();
  expect(micros("12,5")).toBeNull();
  expect(micros("")).toBeNull();
});

test("balances have two decimals and charges five, cut and never rounded up", () => {
  expect(formatMoney(1234567.899999, "naira")).toBe("₦1,234,567.89");
  expect(formatMoney(13.5, "espees", 5)).toBe("13.50000 ESPEES");
  expect(formatMoney(-4.5, "naira")).toBe("-₦4.50");
  expect(decimal(-1n, 5)).toBe("-0.00000");
});

test("a price of one unit has five decimals, or all that it has", () => {
  expect(formatUnitPrice(4.5, "naira")).toBe("₦4.50000");
  expect(formatUnitPrice("0.000125", "espees")).toBe("0.000125 ESPEES");
});

test("an amount that is confirmed is never cut", () => {
  expect(formatWhole(12.345678, "espees")).toBe("12.345678 ESPEES");
  expect(formatWhole("0.000001", "naira", 5)).toBe("₦0.000001");
  expect(formatWhole(-4.5, "naira")).toBe("-₦4.50");
});

test("a currency goes by several names", () => {
  expect(currencyOf("ESPEES")).toBe("espees");
  expect(currencyOf("paystack")).toBe("naira");
  expect(currencyOf("NGN")).toBe("naira");
});

test("money is summed by currency, to the micro-unit", () => {
  const parts = [
    { value: 0.1, currency: "naira" },
    { value: 0.2, currency: "naira" },
    { value: "1.5", currency: "espees" },
  ];
  expect(moneyOf(parts)).toBe("₦0.30 and 1.50 ESPEES");
  expect(moneyOf([{ value: 0.015, currency: "espees" }])).toBe("0.015 ESPEES");
  expect(moneyOf([])).toBe("₦0.00");
});

test("an amount of less than a hundredth is not shown as nothing", () => {
  expect(formatMoney(0.005, "espees")).toBe("0.005 ESPEES");
  expect(formatMoney(-0.0025, "naira")).toBe("-₦0.0025");
  expect(formatMoney(0, "naira")).toBe("₦0.00");
});
