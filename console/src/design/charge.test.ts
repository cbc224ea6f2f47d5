import { expect, test } from "vitest";
import { chargeOf, chargeWords } from "./charge";

const campaign = {
  currency: "naira",
  total_charges: 47,
  captured: 30.5,
  released: 4.5,
  refunded: 9,
  reserved: 12,
};

test("reserved, charged and refunded add up to what was confirmed", () => {
  const charge = chargeOf(campaign);
  expect(charge).toMatchObject({ reserved: "12.000000", charged: "21.500000", refunded: "13.500000" });
  const parts = [charge.reserved, charge.charged, charge.refunded].map(Number);
  expect(parts.reduce((all, it) => all + it, 0)).toBe(Number(charge.total));
});

test("a cost is said to be reserved until it is charged", () => {
  expect(chargeWords(chargeOf(campaign))).toBe("₦12.00 reserved");
  expect(chargeWords(chargeOf({ ...campaign, reserved: 12.005 }))).toBe("₦12.005 reserved");
  expect(chargeWords(chargeOf({ ...campaign, reserved: 0 }))).toBe("charged");
  expect(chargeWords(chargeOf({ ...campaign, captured: 0, refunded: 0 }))).toBe("reserved");
});
