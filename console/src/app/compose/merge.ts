// Merge fields on this page: which columns the recipients have, and the first of them, for the preview. Only the head
// of a file is read, whatever its size; the daemon reads it whole.

import type { components } from "../../api/schema";
import type { Group } from "./calls";
import { looksNumeric, parseNumber, prepare } from "./content/numbers";
import { fieldKey, type Values } from "./content/template";

/** Recipients of one origin. */
export interface Source {
  name: string;
  /** Empty for a list of numbers. */
  columns: string[];
  head: Recipient[];
}

export interface Recipient {
  number: string;
  values: Values;
}

const HEAD_BYTES = 32 * 1024;
const HEAD_ROWS = 5;
const PHONE =
  /(^|[^a-z-])(phone|msisdn|mobile|gsm|tel|telephone|whatsapp|cell|cellphone|numbers?|contacts?|recipient|phones|phoneno)($|[^a-z-])/i;
const NAMED =
  /(^|[^a-z-])(name|e-?mail|mail|surname|firstname|lastname|title|address|city|amount|date|id|sn)($|[^a-z-])/i;

export async function headOf(file: File): Promise<Source> {
  await prepare();
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const text = decoded(bytes);
  // The last line may be cut.
  const whole = file.size > HEAD_BYTES ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const { default: papa } = await import("papaparse");
  const { data } = papa.parse<string[]>(whole.replace(/^"?sep=.\r?\n/, ""), {
    skipEmptyLines: "greedy",
    preview: 64,
    delimitersToGuess: ["\t", ";", "|", ","],
  });
  return { name: file.name, ...tableOf(data.map((row) => row.map((cell) => cell.trim()))) };
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const text = new TextDecoder().decode(bytes);
  // A file of an older spreadsheet; a character cut at the end is no sign of one.
  return text.slice(0, -1).includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/** Columns and first recipients of the rows of a file, as the daemon tells a table from a list. */
export function tableOf(rows: string[][]): Omit<Source, "name"> {
  const [first = [], ...rest] = rows;
  const titles = first.every((cell) => cell.length <= 60 && !looksNumeric(cell));
  const named = titles && first.some((cell) => PHONE.test(cell) || NAMED.test(cell));
  const titled =
    titles && !/\d/.test(first.join("")) && rest.length > 1 && rest.some((row) => row.some(isNumber));
  const header = named || titled;
  const body = header ? rest : rows;
  const width = header ? first.length : Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => at);
  const phones = columns.filter(
    (at) => body.filter((row) => isNumber(row[at] ?? "")).length * 2 >= body.length,
  );
  const words = body.some((row) => row.some((cell) => cell && !looksNumeric(cell)));
  // Without a header it is a table where one column has the numbers and another has words.
  if (width < 2 || (!header && !(phones.length === 1 && words))) {
    const head = body.flat().filter(isNumber).slice(0, HEAD_ROWS);
    return { columns: [], head: head.map((cell) => ({ number: shown(cell), values: {} })) };
  }
  const score = (at: number) =>
    (body.some((row) => isNumber(row[at] ?? "")) ? 2 : 0) + (header && PHONE.test(first[at] ?? "") ? 1 : 0);
  const phone = columns.reduce((best, at) => (score(at) > score(best) ? at : best), 0);
  const names = columnNames(header ? first : [], width);
  const others = columns.filter((at) => at !== phone);
  return {
    columns: others.map((at) => names[at] ?? ""),
    head: body.slice(0, HEAD_ROWS).map((row) => ({
      number: shown(row[phone] ?? ""),
      values: valuesOf(others.map((at) => [names[at] ?? "", row[at] ?? ""])),
    })),
  };
}

/** In lower case, each different: `column2` where a title is missing, `name_2` where it comes again. */
function columnNames(first: readonly string[], width: number): string[] {
  const names: string[] = [];
  for (let at = 0; at < width; at += 1) {
    const title = first[at]?.toLowerCase() || `column${at + 1}`;
    let name = title;
    for (let again = 2; names.includes(name); again += 1) name = `${title}_${again}`;
    names.push(name);
  }
  return names;
}

/** Values by the names that fields know them by; of two columns that are one to them, the first, as in the daemon. */
function valuesOf(columns: readonly (readonly [string, string])[]): Values {
  return Object.fromEntries(columns.map(([name, value]) => [fieldKey(name), value] as const).reverse());
}

const isNumber = (cell: string) => "number" in parseNumber(cell);

function shown(cell: string): string {
  const read = parseNumber(cell);
  return "number" in read ? read.number : cell;
}

/** A group, whose contacts have `name` and `email` beside its own columns. */
export function groupSource(group: Group, contacts: components["schemas"]["Contact"][]): Source {
  return {
    name: group.group_name,
    columns: ["name", "email", ...group.columns],
    head: contacts.slice(0, HEAD_ROWS).map(({ phone, name, email, fields }) => ({
      number: phone,
      values: { ...fields, name, email },
    })),
  };
}

/** The columns every source with columns has: only these can be used. */
export function sharedColumns(sources: readonly Source[]): string[] {
  const [first, ...rest] = sources.filter((it) => it.columns.length > 0);
  return first ? first.columns.filter((name) => rest.every((it) => it.columns.includes(name))) : [];
}

/** One file chosen twice is one. */
export function identity(file: File): string {
  return `${file.name} ${file.size} ${file.lastModified}`;
}
