// The first rows of a file, to choose its columns by. Only the beginning is read, whatever the size: the daemon reads it
// all, and by its own rules; what is guessed here is a proposal.
import Papa from "papaparse";

const HEAD_BYTES = 64 * 1024;
const ROWS_SHOWN = 5;
export const MAX_COLUMNS = 60;

export type Role = "phone" | "name" | "email" | "field" | "ignore";

export interface Preview {
  /** The titles of a table with a header; empty for a plain list or a table without one. */
  titles: string[];
  rows: string[][];
}

const PHONES =
  /^(phone|mobile|gsm|tel|telephone|msisdn|cell|number|numbers|contact|recipient)s?([ _-]?(no|num|number|numbers))?\.?$/;
const NAMES = /^(full[ _-]?|contact[ _-]?|customer[ _-]?|display[ _-]?)?names?$|^customer$/;
const EMAILS = /^e?-?mails?([ _-]?address)?$/;

export function decodeHead(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder("utf-8").decode(bytes);
}

export async function previewOf(file: Blob): Promise<Preview> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return read(decodeHead(bytes).replace(/^\uFEFF/, ""), file.size > HEAD_BYTES);
}

export function read(text: string, cut = false): Preview {
  const whole = cut ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const { data } = Papa.parse<string[]>(whole, {
    preview: ROWS_SHOWN + 1,
    skipEmptyLines: "greedy",
    delimitersToGuess: [",", ";", "\t", "|"],
  });
  const rows = data.map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cell.trim()));
  const [head, ...rest] = rows;
  if (!head) return { titles: [], rows: [] };
  const isHeader =
    head.length > 1 && rest.length > 0 && !head.some(looksLikeNumber) && head.every((it) => it !== "");
  return isHeader
    ? { titles: head, rows: rest.slice(0, ROWS_SHOWN) }
    : { titles: [], rows: rows.slice(0, ROWS_SHOWN) };
}

function looksLikeNumber(cell: string): boolean {
  return cell.replace(/\D/g, "").length >= 7;
}

/** What each column probably is. */
export function guessRoles({ titles, rows }: Preview): Role[] {
  const keys = titles.map((title) => title.toLowerCase().trim());
  const roles: Role[] = titles.map(() => "field");
  const take = (role: Role, at: number) => {
    if (at >= 0 && roles[at] === "field") roles[at] = role;
  };
  const byTitle = keys.findIndex((key) => PHONES.test(key));
  take(
    "phone",
    byTitle >= 0 ? byTitle : titles.findIndex((_, at) => rows.some((row) => looksLikeNumber(row[at] ?? ""))),
  );
  take(
    "email",
    keys.findIndex((key) => EMAILS.test(key)),
  );
  take(
    "name",
    keys.findIndex((key) => NAMES.test(key)),
  );
  return roles;
}

/** A column gets a role; the one that had it, where only one may have it, becomes a merge field. Several may hold numbers. */
export function assign(roles: readonly Role[], at: number, role: Role): Role[] {
  const single = role === "name" || role === "email";
  return roles.map((it, place) => (place === at ? role : single && it === role ? "field" : it));
}

export interface Mapping {
  phone_column?: string[];
  name_column?: string;
  email_column?: string;
  ignore_column?: string[];
}

/** What the daemon is told. Nothing where nothing was changed: it finds out by itself, and knows more titles. */
export function mappingOf(
  titles: readonly string[],
  roles: readonly Role[],
  guessed: readonly Role[],
): Mapping {
  if (roles.every((role, at) => role === guessed[at])) return {};
  const of = (role: Role) => titles.filter((_, at) => roles[at] === role);
  const phones = of("phone");
  const [name] = of("name");
  const [email] = of("email");
  return {
    ...(phones.length === 0 ? {} : { phone_column: phones }),
    ...(name === undefined ? {} : { name_column: name }),
    ...(email === undefined ? {} : { email_column: email }),
    ignore_column: of("ignore"),
  };
}
