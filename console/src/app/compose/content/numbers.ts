// The numbers in a pasted text, read as the daemon reads a form's `contacts` (`core/src/phone`): a list of fields or
// sentences with numbers in them; a field is tried whole before it is taken apart, and nothing is guessed.
// What counts is the daemon's quote, which also tells landlines abroad from mobiles; this shows while typing what is
// understood, for texts of a size that a person types or pastes.
import type { parsePhoneNumberFromString } from "libphonenumber-js/min";

export type Reason =
  | "no_digits"
  | "not_a_number"
  | "too_short"
  | "too_long"
  | "nine_digits"
  | "invalid"
  | "not_mobile"
  | "ambiguous"
  | "spreadsheet_rounded";

/** The daemon's sentences. */
export const REASONS: Record<Reason, string> = {
  no_digits: "There is no digit in it",
  not_a_number: "It is no phone number: letters or signs stand among its digits",
  too_short: "It has too few digits to be a phone number",
  too_long: "It has too many digits to be one phone number",
  nine_digits: "It has nine digits: Nigerian mobile numbers have ten after the zero, as in 0803 123 4567",
  invalid: "No network uses a number that begins like this",
  not_mobile: "It is no Nigerian mobile number",
  ambiguous: "It can be read as a number of two countries: write it with + and the country code",
  spreadsheet_rounded:
    "The spreadsheet rounded it and its last digits are lost: format the column as text and export again",
};

/** What knows the numbers of all countries. It weighs some 30 kB, and comes once there are numbers to read. */
let countries: typeof parsePhoneNumberFromString | null = null;

/** Whether numbers can be read. */
export const canRead = () => countries !== null;

/** Fetches what numbers are read with; before that, those of other countries would be called invalid. */
export async function prepare(): Promise<void> {
  countries ??= (await import("libphonenumber-js/min")).parsePhoneNumberFromString;
}

export interface NumbersRead {
  /** E.164 without the plus, each once, in order. */
  numbers: string[];
  duplicates: number;
  rejects: { text: string; reason: Reason }[];
}

type Result = { number: string } | { reason: Reason };
type Setting = "list" | "prose";

const BREAKS = /[,;\t|"=\n\r]+/;
/** What most fields are: the slow way is for the rest. */
const SIMPLE = /^\+?\d{10,16}$/;

export function readNumbers(text: string): NumbersRead {
  const fields = text.split(BREAKS).map(trimBlanks).filter(Boolean);
  const numeric = fields.filter((field) => looksNumeric(field)).length;
  const sentences = fields.filter((field) => /\s/.test(field) && !looksNumeric(field)).length;
  const setting: Setting = sentences > numeric ? "prose" : "list";
  const numbers = new Set<string>();
  const found: NumbersRead = { numbers: [], duplicates: 0, rejects: [] };
  for (const field of fields) {
    for (const it of SIMPLE.test(field) ? readSimple(field) : readField(field, setting)) {
      if ("reason" in it) found.rejects.push({ text: it.text.slice(0, 120), reason: it.reason });
      else if (numbers.has(it.number)) found.duplicates += 1;
      else numbers.add(it.number);
    }
  }
  found.numbers = [...numbers];
  return found;
}

const BLANK = "\\s\\p{Cc}\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const FILLER = `${BLANK}\\-.()/'"\\[\\]_\`=·´\\u2010-\\u2015\\u2212\\uff0d\\u2018-\\u201f`;
const DIGIT = "0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u07c0-\\u07c9\\u0966-\\u096f\\u09e6-\\u09ef\\uff10-\\uff19";
const re = (pattern: string, flags = "") => new RegExp(pattern, `u${flags}`);
const EDGES = re(`^[${BLANK}]+|[${BLANK}]+$`, "g");
const FILLER_EDGES = re(`^[${FILLER}]+|[${FILLER}]+$`, "g");
const PLAIN = re(`^[${DIGIT}${FILLER}+＋]*$`);
const ANY_DIGIT = re(`[${DIGIT}]`);
const ALL_DIGITS = re(`[${DIGIT}]`, "g");
const RUNS = re(`[${DIGIT}]+`, "g");

function trimBlanks(text: string): string {
  const trimmed = text.trim();
  return SIMPLE.test(trimmed) ? trimmed : trimmed.replace(EDGES, "");
}
const digitsIn = (text: string) => text.match(ALL_DIGITS)?.length ?? 0;

function ascii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = [0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xff10].find((it) => code >= it && code < it + 10);
  return String(code - (zero ?? 0x30));
}

/** Nothing but digits and what goes with them, or a number in spreadsheet notation. */
export function looksNumeric(text: string): boolean {
  if (SIMPLE.test(text)) return true;
  if (PLAIN.test(text)) return ANY_DIGIT.test(text);
  const read = parseNumber(text);
  return "number" in read || read.reason === "spreadsheet_rounded";
}

function readSimple(field: string): ({ text: string } & Result)[] {
  const plus = field.startsWith("+");
  const digits = plus ? field.slice(1) : field;
  return [{ text: field, ...resolve(plus && !digits.startsWith("0"), digits, true) }];
}

interface Piece {
  start: number;
  end: number;
  text: string;
  digits: number;
  numeric: boolean;
}

function* readField(field: string, setting: Setting): Generator<{ text: string } & Result> {
  const whole = parseNumber(field);
  if ("number" in whole || whole.reason === "spreadsheet_rounded") {
    yield { text: field, ...whole };
    return;
  }
  let nothing = true;
  const pieces = piecesOf(field);
  let at = 0;
  while (at < pieces.length) {
    const run = pieces.slice(at).findIndex((it) => !it.numeric);
    const count = run < 0 ? pieces.length - at : run;
    const first = pieces[at] as Piece;
    const found = count === 0 ? readWord(first.text) : readRun(field, pieces.slice(at, at + count), setting);
    for (const it of found) {
      nothing = false;
      yield it;
    }
    at += Math.max(1, count);
  }
  if (nothing && setting === "list") yield { text: field, ...whole };
}

function piecesOf(field: string): Piece[] {
  const pieces: Piece[] = [];
  for (const part of field.matchAll(/[^\s/,;:|<>]*(?:[\s/,;:|<>]|$)/gu)) {
    const body = part[0].replace(/^[!?…*#~•{}]+/u, "").replace(/[\s/,;:|<>]+$/u, "");
    const text = body.replace(/[!?…*#~•{}]+$/u, "");
    const start = part.index + part[0].indexOf(text);
    const digits = digitsIn(text);
    const numeric = PLAIN.test(text);
    // A dash on its own neither is a number nor ends one; a colon ends it like a word.
    if (text && (digits > 0 || !numeric)) {
      pieces.push({ start, end: start + text.length, text, digits, numeric });
    }
    if (/[,;:|<>]$/.test(part[0])) pieces.push({ start, end: start, text: "", digits: 0, numeric: false });
  }
  return pieces;
}

function* readWord(word: string): Generator<{ text: string } & Result> {
  const longest = Math.max(0, ...Array.from(word.matchAll(RUNS), (run) => run[0].length));
  if (longest === 0) return;
  const read = parseNumber(word);
  if ("number" in read || read.reason === "spreadsheet_rounded" || (longest >= 7 && !word.includes("@"))) {
    yield { text: word, ...read };
  }
}

/** Pieces of digits in a row: the longest that make one number, again and again. */
function* readRun(field: string, run: Piece[], setting: Setting): Generator<{ text: string } & Result> {
  let left = 0;
  let place = 0;
  while (place < run.length) {
    const found = longestNumber(field, run.slice(place));
    if (!found) {
      place += 1;
      continue;
    }
    yield* leftOver(field, run.slice(left, place), setting);
    yield found.read;
    place += found.count;
    left = place;
  }
  yield* leftOver(field, run.slice(left), setting);
}

function longestNumber(field: string, run: Piece[]) {
  let digits = 0;
  let count = 0;
  for (const piece of run.slice(0, 8)) {
    digits += piece.digits;
    if (digits > 20 || (count > 0 && isPlus(piece.text))) break;
    count += 1;
  }
  const first = run[0] as Piece;
  for (; count > 0; count -= 1) {
    const text = field.slice(first.start, (run[count - 1] as Piece).end);
    const read = parseNumber(text, count === 1);
    if ("number" in read) return { count, read: { text, ...read } };
  }
  return null;
}

const isPlus = (text: string) => /^[+＋]/.test(text.replace(FILLER_EDGES, ""));

function* leftOver(field: string, left: Piece[], setting: Setting): Generator<{ text: string } & Result> {
  const [first, last] = [left[0], left.at(-1)];
  if (!first || !last) return;
  const text = field.slice(first.start, last.end);
  const digits = left.reduce((sum, piece) => sum + piece.digits, 0);
  const dialled = left.length === 1 || isPlus(first.text) || first.text.startsWith("0");
  const meant = setting === "list" ? digits >= 4 : digits >= 7 && dialled && !DATE.test(text);
  if (meant) yield { text, ...parseNumber(text) };
}

const DATE = /^\s*(\d{4}([-.])\d{1,2}\2\d{1,2}|\d{1,2}([-.])\d{1,2}\3\d{4})[.\s]*$/;

/** One number; `foreign` says whether it may be one abroad that lacks its plus. */
export function parseNumber(text: string, foreign = true): Result {
  const bare = text.replace(FILLER_EDGES, "").replace(/^tel:/i, "");
  const sheet = undoSpreadsheet(bare);
  if (sheet && "reason" in sheet) return sheet;
  const plus = sheet ? sheet.plus : isPlus(bare);
  const digits = sheet ? sheet.digits : Array.from(bare.match(ALL_DIGITS) ?? [], ascii).join("");
  if (digits === "") return { reason: "no_digits" };
  if (!sheet && !(PLAIN.test(bare) && !/[+＋]/.test(bare.replace(/^[^0-9]*?[+＋]/, "")))) {
    return { reason: "not_a_number" };
  }
  if (digits.length > 20) return { reason: "too_long" };
  return resolve(plus && !digits.startsWith("0"), digits, foreign);
}

function resolve(plus: boolean, digits: string, foreign: boolean): Result {
  const nigerian = /^(?:(?:00|009)?2340?|0)?(\d{10})$/.exec(digits)?.[1];
  if (nigerian && isMobile(nigerian) && (!plus || digits.startsWith("234"))) {
    return { number: `234${nigerian}` };
  }
  if (plus) return international(digits);
  if (digits.startsWith("00")) {
    const usual = international(digits.slice(2));
    if (digits[2] !== "9") return usual;
    const own = international(digits.slice(3));
    if ("number" in usual && "number" in own) return { reason: "ambiguous" };
    return "number" in own || digits.startsWith("009234") ? own : usual;
  }
  if (!foreign) return { reason: "invalid" };
  const coded = digits.startsWith("234") && digits.length >= 12;
  const home = atHome(coded ? digits.slice(3) : digits);
  const ours = /^[789]/.test(digits);
  const mayLackPlus = !digits.startsWith("0") && (digits.length > 10 || (digits.length === 10 && !ours));
  if (coded || !mayLackPlus) return home;
  const abroad = international(digits);
  return "number" in abroad ? abroad : home;
}

/** A Nigerian number that is no mobile: why. */
function atHome(digits: string): Result {
  const national = digits.replace(/^0/, "");
  if (national.length === 9 && /^[789]/.test(national)) return { reason: "nine_digits" };
  if (national.length < 10) return { reason: "too_short" };
  if (national.length > 10) return { reason: "too_long" };
  return isMobile(national) ? { number: `234${national}` } : { reason: "not_mobile" };
}

function international(digits: string): Result {
  if (digits.startsWith("234")) return atHome(digits.slice(3));
  const number = countries?.(`+${digits}`);
  if (!number)
    return { reason: digits.length < 7 ? "too_short" : digits.length > 15 ? "too_long" : "invalid" };
  if (number.isValid()) return { number: number.number.slice(1) };
  return { reason: "invalid" };
}

/** The beginnings of Nigerian mobile numbers, as libphonenumber has them. */
function isMobile(national: string): boolean {
  const [first, next, last] = [Number(national[0]), Number(national.slice(1, 3)), Number(national[3])];
  if (first === 7) return next === 2 ? last !== 3 : next === 1 || (next >= 3 && next <= 29);
  if (first === 8) return next === 19 ? last <= 1 : next >= 1 && next <= 18;
  return first === 9 && next >= 1 && next <= 16;
}

/** `8.03E+09`, `8031234567.0`, `8,031,234,567`; null for any other text. */
function undoSpreadsheet(text: string): { plus: boolean; digits: string } | { reason: Reason } | null {
  const plus = text.startsWith("+");
  const rest = plus ? text.slice(1) : text;
  const power = /^(\d+)(?:[.,](\d*))?[eE]\+?(\d{1,2})$/.exec(rest);
  if (power) {
    const [, whole = "", fraction = "", exponent = "0"] = power;
    const zeros = Number(exponent);
    if (fraction.length < zeros) return { reason: "spreadsheet_rounded" };
    return /^0*$/.test(fraction.slice(zeros)) ? { plus, digits: whole + fraction.slice(0, zeros) } : null;
  }
  const grouped = /^(\d+|\d{1,3}(?:,\d{3})+)(\.0{1,2})?$/.exec(rest);
  const [, whole = "", fraction] = grouped ?? [];
  if (!grouped || whole.length < 9 || (!fraction && !whole.includes(","))) return null;
  return { plus, digits: whole.replaceAll(",", "") };
}
