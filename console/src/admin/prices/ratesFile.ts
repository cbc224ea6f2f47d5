// Rates as a file of a spreadsheet, there and back. Loaded with the first file that is read or written.
import Papa from "papaparse";
import { amountOf, micros } from "../../design/money";
import { isPurpose } from "../../design/purpose";
import { amount } from "../form/validate";
import { csvOf } from "../list/csv";
import { keyOf, prefixFault, RATES_MAX, type RateRow, readNetwork, readPrefix } from "./rateList";

const COLUMNS = ["prefix", "network", "purpose", "espees", "naira"] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Far more than the most rates take. */
export const BYTES_MAX = 1_000_000;

export interface Fault {
  /** From 1; null where it is of the whole file. */
  line: number | null;
  text: string;
}

export interface RatesRead {
  rows: RateRow[];
  faults: Fault[];
}

export function fileOf(rows: readonly RateRow[]): string {
  const price = (value: bigint | null) =>
    value === null ? "" : amountOf(value).replace(/0+$/, "").replace(/\.$/, "");
  return csvOf(
    rows.map((row) => ({
      id: keyOf(row),
      prefix: row.prefix,
      network: row.network,
      purpose: row.purpose,
      espees: price(row.espees),
      naira: price(row.naira),
    })),
    COLUMNS,
  );
}

/** A file with a head that names its columns, in any order; without that of purposes its rates are for all of them. */
export function readRates(text: string): RatesRead {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), {
    delimitersToGuess: [",", ";", "\t"],
    skipEmptyLines: false,
  });
  const [head = [], ...lines] = data;
  const titles = head.map((it) => it.trim().toLowerCase());
  const whole = (said: string): RatesRead => ({ rows: [], faults: [{ line: null, text: said }] });
  const unknown = titles.filter((it) => it !== "" && !COLUMNS.some((name) => name === it));
  if (!titles.includes("prefix") || !(titles.includes("espees") || titles.includes("naira")))
    return whole("The first line must name the columns: prefix,network,purpose,espees,naira");
  if (unknown.length > 0 || new Set(titles).size < titles.length)
    return whole(
      `The columns are prefix, network, purpose, espees and naira, each once; here are ${titles.join(", ")}`,
    );
  const filled = lines
    .map((cells, at) => ({ line: at + 2, cells: cells.map((it) => it.trim()) }))
    .filter(({ cells }) => cells.some((it) => it !== ""));
  if (filled.length === 0) return whole("There is no rate in this file");
  if (filled.length > RATES_MAX)
    return whole(
      `There may be ${RATES_MAX.toLocaleString("en")} rates, and these are ${filled.length.toLocaleString("en")}`,
    );
  const rows: RateRow[] = [];
  const faults: Fault[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of filled) {
    const cell = (name: ColumnName) => cells[titles.indexOf(name)] ?? "";
    const fault = (said: string) => faults.push({ line, text: said });
    const purpose = cell("purpose").toLowerCase();
    const row: RateRow = {
      prefix: readPrefix(cell("prefix")),
      network: readNetwork(cell("network")),
      purpose: isPurpose(purpose) ? purpose : "",
      espees: cell("espees") ? micros(cell("espees")) : null,
      naira: cell("naira") ? micros(cell("naira")) : null,
      updated_at: null,
    };
    const wrong =
      (cells.length > titles.length && "It has more cells than the first line") ||
      (prefixFault(row.prefix) && `'${cell("prefix")}' is no prefix: ${lower(prefixFault(row.prefix))}`) ||
      (purpose !== row.purpose &&
        `'${cell("purpose")}' is no purpose: write promotional, transactional or otp, or nothing for all`) ||
      (cell("espees") && priceFault(cell("espees"))) ||
      (cell("naira") && priceFault(cell("naira"))) ||
      (row.espees === null &&
        row.naira === null &&
        "It has no price: give one in espees, in naira or in both");
    const twice = lineOf.get(keyOf(row));
    if (wrong) fault(wrong);
    else if (twice !== undefined) fault(`Its destination is in line ${twice} already`);
    else {
      lineOf.set(keyOf(row), line);
      rows.push(row);
    }
  }
  return { rows, faults };
}

const lower = (text: string | null) => (text ? text.charAt(0).toLowerCase() + text.slice(1) : "");

function priceFault(text: string): string | undefined {
  const said = amount(text, "");
  return said && `'${text}' is no price: ${lower(said)}`;
}
