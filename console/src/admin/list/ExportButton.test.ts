import { expect, test } from "vitest";
import { csvOf } from "./ExportButton";

test("an exported file runs nothing in a spreadsheet and leaves lists out", () => {
  const text = csvOf([{ id: 1, name: "=1+1", list: [1], none: null }]);
  expect(text).toBe(`id,name\r\n1,"'=1+1"`);
});
