import { expect, test } from "vitest";
import { amountField, plainAmount } from "./amount";

test("amounts are taken as people type them, and stay exact", () => {
  expect(plainAmount(" ₦1,500.50 ", 2)).toBe("1500.5");
  expect(plainAmount("0.000001", 6)).toBe("0.000001");
  expect(plainAmount("999999999999.999999", 6)).toBe("999999999999.999999");
  for (const bad of ["", "-5", "1.234", "1e9", "five", "1.2.3"]) expect(plainAmount(bad, 2)).toBeNull();
});

test("what is wrong with an amount is said once", () => {
  const said = (text: string) =>
    amountField(2)
      .safeParse(text)
      .error?.issues.map((it) => it.message);
  expect(said("")?.[0]).toBe("Amount is required");
  expect(said("0")).toEqual(["The amount must be more than zero"]);
  expect(said("1.234")).toEqual(["Write an amount such as 1500 or 1500.50, with at most 2 decimals"]);
  expect(said("1,500")).toBeUndefined();
});
