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
    { name: "Nigeria, MTN", naira: 4_200_000n, espees: 10_000n, others: [] },
    { name: "+44", naira: 60_000_000n, espees: 80_000n, others: [] },
    { name: "+447", naira: 60_000_000n, espees: 90_000n, others: [] },
    { name: "+33", naira: 70_000_000n, espees: null, others: [] },
    { name: "+33, Orange", naira: 70_000_000n, espees: 70_000n, others: [] },
  ]);
});

test("without a price at home nothing is sold in that currency", () => {
  const rates = [{ prefix: "44", espees: 0.08, naira: 60 }];
  expect(destinationsOf(rates, { ...HOME, espees: null }, ABROAD)).toEqual([
    { name: "+44", naira: 60_000_000n, espees: null, others: [] },
  ]);
});

const NONE = { naira: null, espees: null };

test.each([
  // Prefix, network, purpose and price of each; what it costs for alerts, advertising and codes.
  ["one for all holds for each", [["44", "", "", 1]], [1, 1, 1]],
  [
    "one of the purpose comes before it",
    [
      ["44", "", "", 1],
      ["44", "", "otp", 2],
    ],
    [1, 1, 2],
  ],
  [
    "of all three each has its own",
    [
      ["44", "", "transactional", 1],
      ["44", "", "otp", 2],
      ["44", "", "promotional", 3],
    ],
    [1, 3, 2],
  ],
  [
    "a network comes before a purpose",
    [
      ["44", "", "otp", 2],
      ["44", "ee", "", 1],
    ],
    [1, 1, 1],
  ],
  [
    "a longer prefix comes before both",
    [
      ["4", "ee", "otp", 2],
      ["44", "", "", 1],
    ],
    [1, 1, 1],
  ],
  [
    "a purpose counts at the longest prefix that has it",
    [
      ["4", "", "", 1],
      ["44", "", "promotional", 3],
    ],
    [1, 3, 1],
  ],
  [
    "of the network it comes before all",
    [
      ["44", "", "otp", 2],
      ["44", "ee", "", 1],
      ["44", "ee", "otp", 5],
    ],
    [1, 1, 5],
  ],
  ["without one nothing is sold", [["44", "", "otp", 2]], [null, null, 2]],
] as const)("%s", (_, table, [alerts, advertising, codes]) => {
  const rates = table.map(([prefix, network, purpose, naira]) => ({
    prefix,
    network: network || null,
    purpose: purpose || null,
    naira,
  }));
  const found = destinationsOf(rates, HOME, NONE).at(-1);
  const other = (purpose: string) => (found?.others.find((it) => it.purpose === purpose) ?? found)?.naira;
  const price = (value: number | null) => (value === null ? null : BigInt(value) * 1_000_000n);
  expect([found?.naira, other("promotional"), other("otp")]).toEqual([alerts, advertising, codes].map(price));
});

test("a rate of a purpose that has no price in a currency is there as if it were not, and one at the same price says nothing", () => {
  const rates = [
    { prefix: "44", naira: 60, espees: 0.08 },
    { prefix: "44", purpose: "otp" as const, naira: 50 },
    { prefix: "44", purpose: "promotional" as const, naira: 60 },
    { prefix: "33", purpose: "otp" as const, espees: 0.07 },
  ];
  expect(destinationsOf(rates, HOME, { ...ABROAD, naira: null })).toEqual([
    {
      name: "+44",
      naira: 60_000_000n,
      espees: 80_000n,
      others: [{ purpose: "otp", naira: 50_000_000n, espees: 80_000n }],
    },
    { name: "+33", ...NONE, others: [{ purpose: "otp", naira: null, espees: 70_000n }] },
  ]);
});
