// The list of rates while it is edited: what administrators changed of it, kept apart from it. Another's change arrives in
// the list below, and what was changed here is laid over that.
import type { components } from "../../api/schema";
import { amountOf, type Currency, micros } from "../../design/money";
import type { Purpose } from "../../design/purpose";
import { destinationKey, destinationName } from "../../design/rate";
import { type PriceChange, priceChange } from "./priceChange";

type Rate = components["schemas"]["Rate"];

/** As many as the daemon keeps. */
export const RATES_MAX = 1_000;

export interface RateRow {
  /** Digits of E.164, from the calling code on. */
  prefix: string;
  /** A network's name in lower case; empty: all of them. */
  network: string;
  /** What the messages are for; empty: all of them. */
  purpose: Purpose | "";
  /** Of a page, in micro-units; null: not in force in this currency. */
  espees: bigint | null;
  naira: bigint | null;
  updated_at: string | null;
  /** What its dearest carrier charges for a short message, in micro-units, where that is known. */
  cost?: Partial<Record<Currency, bigint>> | undefined;
}

/** What tells a row from others. */
type RowKey = Pick<RateRow, "prefix" | "network" | "purpose">;

/** By destination: the row as it shall be; null where it shall be removed. */
export type Edits = ReadonlyMap<string, RateRow | null>;

export const NO_EDITS: Edits = new Map();

export const keyOf = (row: RowKey) => destinationKey(row);
export const nameOf = (row: RowKey) => destinationName(row);

export function rowsOf(rates: readonly Rate[]): RateRow[] {
  const price = (value: number | null | undefined) => (value == null ? null : micros(value));
  return rates.map((it) => ({
    prefix: it.prefix,
    network: it.network ?? "",
    purpose: it.purpose ?? "",
    espees: price(it.espees),
    naira: price(it.naira),
    updated_at: it.updated_at ?? null,
    cost: costOf(it),
  }));
}

function costOf({ cost_espees, cost_naira }: Rate): RateRow["cost"] {
  const [espees, naira] = [cost_espees, cost_naira].map((it) => (it == null ? null : micros(it)));
  return { ...(espees == null ? {} : { espees }), ...(naira == null ? {} : { naira }) };
}

/** What is left of a page's price; null where price or cost are not known. */
export function marginOf(row: RateRow, currency: Currency): bigint | null {
  const [price, cost] = [row[currency], row.cost?.[currency]];
  return price === null || cost === undefined ? null : price - cost;
}

/** What the daemon takes. Amounts have few enough digits that JSON's numbers hold them exactly. */
export function bodyOf(rows: readonly RateRow[]): Rate[] {
  const price = (value: bigint | null) => (value === null ? null : Number(amountOf(value)));
  return rows.map(({ prefix, network, purpose, espees, naira }) => ({
    prefix,
    network: network || null,
    purpose: purpose || null,
    espees: price(espees),
    naira: price(naira),
  }));
}

const isSame = (a: RateRow, b: RateRow) => a.espees === b.espees && a.naira === b.naira;

/** A row of the table, with what became of it here. */
export interface ShownRow {
  row: RateRow;
  edit: "new" | "changed" | "removed" | null;
}

/** All of them in the order of their prefixes, those that will be removed among them. */
export function shownRows(stored: readonly RateRow[], edits: Edits): ShownRow[] {
  const all = new Map<string, ShownRow>(stored.map((row) => [keyOf(row), { row, edit: null }]));
  for (const [key, edit] of edits) {
    const was = all.get(key);
    if (edit && !was) all.set(key, { row: edit, edit: "new" });
    else if (edit && was && !isSame(edit, was.row))
      all.set(key, { row: { ...edit, updated_at: was.row.updated_at, cost: was.row.cost }, edit: "changed" });
    else if (!edit && was) all.set(key, { row: was.row, edit: "removed" });
  }
  // Texts in the order of their characters, as the daemon has them.
  return [...all.values()].sort((a, b) => (keyOf(a.row) < keyOf(b.row) ? -1 : 1));
}

/** The list as it shall be. */
export function wantedRows(stored: readonly RateRow[], edits: Edits): RateRow[] {
  return shownRows(stored, edits).flatMap((it) => (it.edit === "removed" ? [] : [it.row]));
}

/** Puts a row in, in place of another where it had another destination; null removes it. */
export function edited(edits: Edits, row: RateRow | null, instead: RateRow | null): Edits {
  const next = new Map(edits);
  if (instead) next.set(keyOf(instead), null);
  if (row) next.set(keyOf(row), row);
  return next;
}

/** Takes back what was changed of a destination. */
export function undone(edits: Edits, row: RateRow): Edits {
  const next = new Map(edits);
  next.delete(keyOf(row));
  return next;
}

/** A price that changes. */
export interface RateChange {
  /** The list that it is in, where that is known. */
  list?: string;
  row: RateRow;
  currency: Currency;
  before: bigint | null;
  after: bigint | null;
  /** Null where it has no price any more. */
  told: PriceChange | null;
}

const CURRENCIES: readonly Currency[] = ["espees", "naira"];

export const CURRENCY_WORDS: Record<Currency, string> = { espees: "ESPEES", naira: "Naira" };

/** The prices that change, as `remarkableFirst` orders them. */
export function changesOf(stored: readonly RateRow[], edits: Edits): RateChange[] {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const changes = shownRows(stored, edits).flatMap(({ row, edit }) => {
    if (edit === null) return [];
    return CURRENCIES.flatMap((currency): RateChange[] => {
      const was = before.get(keyOf(row))?.[currency] ?? null;
      const is = edit === "removed" ? null : row[currency];
      if (was === is) return [];
      const text = (value: bigint | null) => (value === null ? null : amountOf(value));
      return [{ row, currency, before: was, after: is, told: priceChange(text(was), text(is)) }];
    });
  });
  return remarkableFirst(changes);
}

/** Those to be looked at twice first, and those that are new last. */
export function remarkableFirst(changes: readonly RateChange[]): RateChange[] {
  const rank = (it: RateChange) => (isRemarkable(it) ? 0 : it.before === null ? 2 : 1);
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/** It falls or rises by more than half, or becomes free. */
const isRemarkable = ({ told }: RateChange) => told !== null && (told.steep || told.free);

/** What is wrong with a destination; null where nothing is. */
export function prefixFault(prefix: string): string | null {
  return /^[1-9]\d{0,14}$/.test(prefix)
    ? null
    : "Write digits from the calling code on, such as 44 or 234803, at most 15";
}

/** Digits as people write them: a plus before them, or spaces between them, is no fault. */
export const readPrefix = (text: string) => text.replace(/[\s'-]/g, "").replace(/^\+/, "");
export const readNetwork = (text: string) => text.trim().toLowerCase();
