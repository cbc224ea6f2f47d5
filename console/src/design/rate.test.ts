import { expect, test } from "vitest";
import { destinationName, rateLines } from "./rate";

const QUOTE = { unit_price: 4.5, total_contacts: 3, total_pages: 6 };
const HOME = { prefix: "234", network: null, contacts: 3, pages: 6, unit_price: 4.5, charges: 27 };

test("a destination is named by its country at home, by its digits abroad, and by its network", () => {
  expect(destinationName({ prefix: "234" })).toBe("Nigeria");
  expect(destinationName({ prefix: "234", network: "mtn" })).toBe("Nigeria, MTN");
  expect(destinationName({ prefix: "234803", network: null })).toBe("+234803");
  expect(destinationName({ prefix: "44", network: "vodafone" })).toBe("+44, Vodafone");
  expect(destinationName({ prefix: null })).toBe("Elsewhere");
  expect(destinationName({ prefix: "234", network: "mtn", purpose: "otp" })).toBe("Nigeria, MTN, codes");
  expect(destinationName({ prefix: "44", purpose: "promotional" })).toBe("+44, advertising");
});

test("the ordinary price alone needs no lines, and every other has one, the dearest first", () => {
  expect(rateLines({ ...QUOTE, rates: [HOME] })).toEqual([]);
  expect(rateLines({ ...QUOTE, rates: [{ ...HOME, unit_price: 4.500001 }] })).toHaveLength(1);
  expect(rateLines({ ...QUOTE, rates: [{ ...HOME, network: "mtn" }] })).toHaveLength(1);
  expect(rateLines({ ...QUOTE, rates: [{ ...HOME, purpose: "otp" }] })).toHaveLength(1);
  const abroad = { ...HOME, prefix: "44", unit_price: 60, charges: 60 };
  const lines = rateLines({ ...QUOTE, rates: [HOME, abroad] });
  expect(lines.map(destinationName)).toEqual(["+44", "Nigeria"]);
});

test("a quote of a daemon without rates has the lines of its two prices", () => {
  expect(rateLines(QUOTE)).toEqual([]);
  const abroad = { abroad_contacts: 1, abroad_pages: 2, abroad_unit_price: 40.000001 };
  expect(rateLines({ ...QUOTE, ...abroad })).toMatchObject([
    { prefix: null, contacts: 1, pages: 2, charges: "80.000002" },
    { prefix: "234", contacts: 2, pages: 4, charges: "18.000000" },
  ]);
  expect(rateLines({ ...QUOTE, ...abroad, abroad_contacts: 3, abroad_pages: 6 })).toMatchObject([
    { prefix: null, contacts: 3, pages: 6 },
  ]);
});
