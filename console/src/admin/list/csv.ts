// Rows as a file that a spreadsheet opens and runs nothing of. Loaded with the first file that is asked for.
import Papa from "papaparse";
import type { RaRecord } from "react-admin";

/** One column a field, unless they are named; fields that hold lists or records are left out. A spreadsheet runs nothing of it. */
export function csvOf(rows: readonly RaRecord[], named?: readonly string[]): string {
  const columns = named ?? [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => typeof row[key] !== "object"))),
  ];
  return Papa.unparse(
    { fields: columns.map(harmless), data: rows.map((row) => columns.map((key) => cellOf(row[key]))) },
    { quotes: (value) => String(value).includes(";") },
  );
}

/** A number is no formula, whatever its sign. */
function cellOf(value: unknown): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return harmless(String(value ?? ""));
}

/**
 * A text with an apostrophe before all that a spreadsheet would take for the start of a formula; the daemon does
 * the same to its files (core/api/src/spreadsheet.rs). A cell may begin at the start, and after a semicolon or a
 * line end: spreadsheets that part cells at semicolons do not see our quotes. Quotes may stand between.
 */
function harmless(text: string): string {
  return text.replace(/(^|;)"*(?=\r)/g, "$&'").replace(/(^|[;\r\n])"*(?=[=+\-@\t])/g, "$&'");
}
