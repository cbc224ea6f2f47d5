import { expect, test } from "vitest";
import { assign, decodeHead, guessRoles, mappingOf, previewOf, read } from "./filePreview";

test("a table with a header shows its titles, and columns are guessed by title or content", () => {
  const preview = read("Customer;GSM No;E-mail;City\nAda;08031234567;ada@example.com;Lagos\n");
  expect(preview.titles).toEqual(["Customer", "GSM No", "E-mail", "City"]);
  expect(guessRoles(preview)).toEqual(["name", "phone", "email", "field"]);
  expect(guessRoles(read("who,line\nAda,0803 123 4567"))).toEqual(["field", "phone"]);
});

test("a plain list and a table without a header have no titles", () => {
  expect(read("08031234567\n08031234568\n")).toEqual({
    titles: [],
    rows: [["08031234567"], ["08031234568"]],
  });
  expect(read("Ada,08031234567\nBola,08031234568").titles).toEqual([]);
  expect(read("")).toEqual({ titles: [], rows: [] });
});

test("only the beginning of a large file is read, and no half row is shown", async () => {
  const file = new Blob(["phone,name\n", "08031234567,Ada\n".repeat(50_000)]);
  const { titles, rows } = await previewOf(file);
  expect(titles).toEqual(["phone", "name"]);
  expect(rows).toHaveLength(5);
  expect(read("phone,name\n0803,Ada\n08", true).rows).toEqual([["0803", "Ada"]]);
});

test("files of spreadsheets in UTF-16 are read", () => {
  const bytes = new Uint8Array([0xff, 0xfe, 0x61, 0x00, 0x3b, 0x00]);
  expect(decodeHead(bytes).replace(/^\uFEFF/, "")).toBe("a;");
});

test("one column has the numbers: another takes the part over, and the daemon is told only of changes", () => {
  const titles = ["name", "phone", "alt phone"];
  const guessed = guessRoles({ titles, rows: [] });
  expect(mappingOf(titles, guessed, guessed)).toEqual({});
  const chosen = assign(assign(guessed, 2, "phone"), 0, "ignore");
  expect(chosen).toEqual(["ignore", "phone", "phone"]);
  const both = [titles[1], "alt phone"];
  expect(mappingOf(titles, chosen, guessed)).toEqual({ phone_column: both, ignore_column: ["name"] });
  const other = assign(chosen, 1, "field");
  expect(mappingOf(titles, other, guessed)).toEqual({ phone_column: ["alt phone"], ignore_column: ["name"] });
});
