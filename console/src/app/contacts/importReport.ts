// An import in figures and words.
import type { Import } from "./phonebook";

/** How much is written, in percent; null while the file is still read. */
export function percentDone(it: Import): number | null {
  if (it.valid === 0) return null;
  return Math.min(100, Math.floor(((it.added + it.updated + it.unchanged) * 100) / it.valid));
}

export function figuresOf(it: Import): [label: string, value: number][] {
  const figures: [string, number][] = [
    ["Rows read", it.rows_read],
    ["New", it.added],
    ["Updated", it.updated],
    ["Unchanged", it.unchanged],
    ["Duplicates", it.duplicates],
    ["Rejected", it.invalid],
  ];
  if (it.warnings > 0) figures.push(["Taken in part", it.warnings]);
  return figures;
}

/** Which column was taken for what; empty for a plain list of numbers. */
export function columnsInWords({ phone, phones, name, email, fields }: Import["columns"]): string {
  const numbers = phones?.length ? phones : [phone].filter((it) => it != null);
  const parts = [
    numbers.length > 0 && `numbers from ${numbers.map((it) => `"${it}"`).join(" and ")}`,
    name?.length && `names from ${name.map((it) => `"${it}"`).join(" and ")}`,
    email && `email from "${email}"`,
    fields?.length && `merge fields ${fields.map((it) => `{${it}}`).join(", ")}`,
  ].filter(Boolean);
  if (parts.length === 0) return "";
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** `may.csv, 2,030 numbers in 2,000 rows, into “Market”`: a row may have several numbers. Those only once the file is read. */
export function numbersInWords(it: Import, group: string | undefined): string {
  const numbers = (it.valid + it.duplicates).toLocaleString("en");
  const read = it.valid > 0 && `${numbers} numbers in ${it.rows_read.toLocaleString("en")} rows`;
  return [it.file_name, read, group && `into “${group}”`].filter(Boolean).join(", ");
}
