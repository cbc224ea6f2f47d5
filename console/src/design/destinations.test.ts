import { expect, test } from "vitest";
import { destinationsOf } from "./destinations";

const HOME = { naira: 4_500_000n, espees: 10_000n };
const ABROAD = { naira: 45_000_000n, espees: null };

test("a rate that has no price in a currency costs there what it would without it", () => {
  const rates = [
    { prefix: "234", network: "mtn", naira: 4.2 },
    { prefix: "44", espees: 0.08, naira: 60 },
    { prefix: "447", espees: 0.09 },
    { prefix: "33", naira: 70 },
    { prefix: "33", network: "orange", espees: 0.07 },
  ];
  expect(destinationsOf(rates, HOME, ABROAD)).toEqual([
    { name: "Nigeria, MTN", naira: 4_200_000n, espees: 10_000n },
    { name: "+44", naira: 60_000_000n, espees: 80_000n },
    { name: "+447", naira: 60_000_000n, espees: 90_000n },
    { name: "+33", naira: 70_000_000n, espees: null },
    { name: "+33, Orange", naira: 70_000_000n, espees: 70_000n },
  ]);
});

test("without a price at home nothing is sold in that currency", () => {
  const rates = [{ prefix: "44", espees: 0.08, naira: 60 }];
  expect(destinationsOf(rates, { ...HOME, espees: null }, ABROAD)).toEqual([
    { name: "+44", naira: 60_000_000n, espees: null },
  ]);
});
