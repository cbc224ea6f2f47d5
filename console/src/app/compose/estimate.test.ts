import { expect, test } from "vitest";
import { allLeftOut, estimateOf, estimateOfWhat, forWhom, pricedBy } from "./estimate";

const PRICES = { home: 4_500_000n, abroad: 40_000_000n };

test("each number is estimated at the price of where it is", () => {
  expect(estimateOf(PRICES, { total: 5, abroad: 0 }, 2)).toBe(45_000_000n);
  expect(estimateOf(PRICES, { total: 5, abroad: 2 }, 1)).toBe(93_500_000n);
  expect(estimateOf(PRICES, { total: 2, abroad: 2 }, 1)).toBe(80_000_000n);
});

test("without a price at home nothing is sold, nor abroad", () => {
  const prices = { home: null, abroad: 40_000_000n };
  expect(estimateOf(prices, { total: 2, abroad: 2 }, 1)).toBeNull();
  expect(estimateOf(prices, { total: 2, abroad: 1 }, 1)).toBeNull();
});

test("numbers abroad cost nothing where no price is set for them, as they are left out", () => {
  const prices = { home: 4_500_000n, abroad: null };
  expect(estimateOf(prices, { total: 5, abroad: 2 }, 1)).toBe(13_500_000n);
  expect(estimateOf(prices, { total: 2, abroad: 2 }, 1)).toBeNull();
});

test("it is said what is estimated, and what is left out", () => {
  const known = { total: 5, abroad: 0, unpriced: 0, runs: 1, hasGroups: false };
  expect(estimateOfWhat(known)).toBe("for 5 contacts. The exact price comes next.");
  expect(estimateOfWhat({ ...known, abroad: 2, runs: 3 })).toBe(
    "for 5 contacts, 2 of them abroad, 3 times. The exact price comes next.",
  );
  expect(estimateOfWhat({ ...known, abroad: 1, unpriced: 1 })).toBe(
    "for 4 contacts. 1 contact abroad is left out: no price is set for it. The exact price comes next.",
  );
  expect(estimateOfWhat({ ...known, hasGroups: true })).toContain(
    "Groups are estimated at the price in Nigeria.",
  );
  expect(estimateOfWhat({ ...known, abroad: 3, unpriced: 2 })).toBe(
    "for 3 contacts, 1 of them abroad. 2 contacts abroad are left out: no price is set for them. The exact price comes next.",
  );
});

test("of how many it is says no more than what is estimated", () => {
  const known = { total: 5, abroad: 2, unpriced: 0, runs: 1 };
  expect(forWhom(known)).toBe("for 5 contacts, 2 of them abroad");
  expect(forWhom({ ...known, unpriced: 2, runs: 3 })).toBe("for 3 contacts, 3 times");
});

test("where all are left out it is said what to do", () => {
  expect(allLeftOut(1, false)).toBe(
    "The contact is abroad, and no price is set for numbers abroad: nothing would be sent. Add numbers in Nigeria, or ask us to set one.",
  );
  expect(allLeftOut(3, true)).toContain("All 3 contacts are abroad");
  expect(allLeftOut(3, true, true)).toContain("no price is set for such numbers: nothing would be sent");
  expect(allLeftOut(3, true)).toContain("or pay from the other balance, which has one.");
});

test("by the lines of a check each has its own price, and those in none have no price", () => {
  const line = (currency: string, contacts: number, unit_price: number) => ({
    currency,
    contacts,
    unit_price,
    prefix: "44",
    network: null,
  });
  const lines = [
    line("espees", 9, 0.01),
    line("naira", 2, 60.000001),
    line("naira", 3, 4.2),
    line("naira", 1, 900),
  ];
  expect(pricedBy(lines, "naira")).toEqual({
    contacts: 6,
    page: 1_032_600_002n,
    span: [4_200_000n, 900_000_000n],
  });
  expect(pricedBy(lines.slice(0, 1), "naira")).toEqual({ contacts: 0, page: 0n, span: null });
});
