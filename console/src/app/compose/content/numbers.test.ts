// The cases of the daemon's own tests (core/src/phone/candidate.rs, parse_tests.rs) that a pasted text can hold.
import { beforeAll, expect, test } from "vitest";
import { parseNumber, prepare, readNumbers } from "./numbers";

beforeAll(prepare);

const read = (text: string) => {
  const { numbers, rejects } = readNumbers(text);
  return [...numbers, ...rejects.map((it) => `${it.text}: ${it.reason}`)];
};

test("a field is tried whole before it is split", () => {
  expect(read("0803 123 4567")).toEqual(["2348031234567"]);
  expect(read("08031234567 08021234567")).toEqual(["2348031234567", "2348021234567"]);
  expect(read("0803 123 4567 0802 123 4567")).toEqual(["2348031234567", "2348021234567"]);
  expect(read("08031234567/08021234567")).toEqual(["2348031234567", "2348021234567"]);
  expect(read("08031234567 - +44 7911 123456")).toEqual(["2348031234567", "447911123456"]);
});

test.each([
  ["call 0803-123-4567 or +44 7911 123456 before 10.30", ["2348031234567", "447911123456"]],
  ["please dial Tel:08031234567.", ["2348031234567"]],
  ["1. 08031234567 Ada", ["2348031234567"]],
  ["on 2026-10-30, on 30/10/2026 or 30.10.2026 for N1500 at 10:30", []],
  ["write to ada08031234567@example.com", []],
  ["my numbers: 0803 123 4567 and 0802 123 4567, in 24 hours", ["2348031234567", "2348021234567"]],
  ["call 080312345 now", ["080312345: too_short"]],
  ["call 08031234567x now", ["08031234567x: not_a_number"]],
  ["sent to 8.03E+09 today", ["8.03E+09: spreadsheet_rounded"]],
])("%s", (text, found) => expect(read(text)).toEqual(found));

test("a list loses nothing silently", () => {
  expect(read("0803 123 456 0802 123 4567")).toEqual(["2348021234567", "0803 123 456: nine_digits"]);
  expect(read("08031234567 12345")).toEqual(["2348031234567", "12345: too_short"]);
  expect(read("Ada")).toEqual(["Ada: no_digits"]);
  expect(read("801234567,814325679")).toEqual(["801234567: nine_digits", "814325679: nine_digits"]);
});

test("duplicates are counted once they are numbers", () => {
  const found = readNumbers('08031234567; +2348031234567\n="08031234567"\t8031234567');
  expect(found).toMatchObject({ numbers: ["2348031234567"], duplicates: 3, rejects: [] });
});

test.each([
  "08031234567",
  "8031234567",
  "2348031234567",
  "+2348031234567",
  "23408031234567",
  "+234 (0) 803 123 4567",
  "002348031234567",
  "0092348031234567",
  "8.031234567E+09",
  "8031234567.0",
  "8,031,234,567",
  "٠٨٠٣١٢٣٤٥٦٧",
  "'08031234567",
  "0803\u00a0123\u20114567",
])("%s is one Nigerian number", (text) => expect(parseNumber(text)).toEqual({ number: "2348031234567" }));

test("a foreign number needs its code, and may lack its plus", () => {
  for (const text of ["+447911123456", "00447911123456", "447911123456", "009447911123456"]) {
    expect(parseNumber(text), text).toEqual({ number: "447911123456" });
  }
  expect(parseNumber("+999123456789")).toEqual({ reason: "invalid" });
  expect(parseNumber("012345678")).toEqual({ reason: "too_short" });
  expect(parseNumber("0201234567890")).toEqual({ reason: "too_long" });
});

test("ten thousand numbers are read while a person types", () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `0803${String(at).padStart(7, "0")}`).join(",");
  const begun = performance.now();
  expect(readNumbers(text).numbers).toHaveLength(10_000);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
