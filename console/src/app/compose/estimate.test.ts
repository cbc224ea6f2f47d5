import { expect, test } from "vitest";
import { allLeftOut, estimateOf, estimateOfWhat, forWhom } from "./estimate";

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
  const known = { total: 5, abroad: 0, sellsAbroad: true, runs: 1, hasGroups: false };
  expect(estimateOfWhat(known)).toBe("for 5 contacts. The exact price comes next.");
  expect(estimateOfWhat({ ...known, abroad: 2, runs: 3 })).toBe(
    "for 5 contacts, 2 of them abroad, 3 times. The exact price comes next.",
  );
  expect(estimateOfWhat({ ...known, abroad: 1, sellsAbroad: false })).toBe(
    "for 4 contacts. 1 contact abroad is left out: no price is set for it. The exact price comes next.",
  );
  expect(estimateOfWhat({ ...known, hasGroups: true })).toContain(
    "Groups are estimated at the price in Nigeria.",
  );
  expect(estimateOfWhat({ ...known, hasGroups: true, sellsAbroad: false })).not.toContain("Groups");
});

test("of how many it is says no more than what is estimated", () => {
  const known = { total: 5, abroad: 2, sellsAbroad: true, runs: 1 };
  expect(forWhom(known)).toBe("for 5 contacts, 2 of them abroad");
  expect(forWhom({ ...known, sellsAbroad: false, runs: 3 })).toBe("for 3 contacts, 3 times");
});

test("where all are left out it is said what to do", () => {
  expect(allLeftOut(1, false)).toBe(
    "The contact is abroad, and no price is set for numbers abroad: nothing would be sent. Add numbers in Nigeria, or ask us to set one.",
  );
  expect(allLeftOut(3, true)).toContain("All 3 contacts are abroad");
  expect(allLeftOut(3, true)).toContain("or pay from the other balance, which has one.");
});
