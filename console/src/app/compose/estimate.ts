// What a message costs by what the page knows, before a quote tells it exactly. Numbers abroad have prices of their own, and
// are left out where none is set, as the daemon leaves them out.
import type { components } from "../../api/schema";
import { counted } from "../../design/count";
import { type Currency, micros } from "../../design/money";

type Line = components["schemas"]["RecipientsRate"];

/** What recipients cost by the lines of a check, a page each. */
export interface Priced {
  /** Those that have a price; the others are left out. */
  contacts: number;
  /** Of a page to each of them, in micro-units. */
  page: bigint;
  /** The lowest and the highest price of a page; null where none has one. */
  span: readonly [bigint, bigint] | null;
}

export function pricedBy(lines: readonly Line[], currency: Currency): Priced {
  const known = lines
    .filter((it) => it.currency === currency)
    .map(({ contacts, unit_price }) => ({ contacts, price: micros(unit_price) ?? 0n }));
  const prices = known.map((it) => it.price).sort((a, b) => (a < b ? -1 : 1));
  const [least] = prices;
  return {
    contacts: known.reduce((sum, it) => sum + it.contacts, 0),
    page: known.reduce((sum, it) => sum + it.price * BigInt(it.contacts), 0n),
    span: least === undefined ? null : [least, prices.at(-1) ?? least],
  };
}

/** The prices of a page, in micro-units; null while they are not set. */
interface Prices {
  home: bigint | null;
  abroad: bigint | null;
}

interface Recipients {
  total: number;
  /** Those of them that are known to be abroad. */
  abroad: number;
}

/** By the prices at home and abroad alone, where no rates are known. Null where a price is missing, or no recipient is left.
 * Without a price at home nothing is sold, nor abroad. */
export function estimateOf(prices: Prices, { total, abroad }: Recipients, pages: number): bigint | null {
  const home = total - abroad;
  if (prices.home === null || (home === 0 && prices.abroad === null)) return null;
  const units = BigInt(pages);
  return prices.home * BigInt(home) * units + (prices.abroad ?? 0n) * BigInt(abroad) * units;
}

interface Counted extends Recipients {
  /** Those of them, all abroad, that no price is set for: they are left out. */
  unpriced: number;
  /** How often the whole campaign is sent. */
  runs: number;
}

/** Of how many it is: `for 5 contacts, 2 of them abroad, 3 times`. */
export function forWhom({ total, abroad, unpriced, runs }: Counted): string {
  const parts = [`for ${contacts(total - unpriced)}`];
  const sold = abroad - unpriced;
  if (sold > 0) parts.push(`${sold.toLocaleString("en")} of them abroad`);
  if (runs > 1) parts.push(`${runs} times`);
  return parts.join(", ");
}

interface Known extends Counted {
  /** Groups are among them that may have numbers abroad, at another price. */
  hasGroups: boolean;
}

/** Why it is not known for how many it is: there are none, or none that can be used, they are being counted, or the quote
 * counts them. */
export type Uncounted = "none" | "unusable" | "counting" | "later";

/** Null where it is known. */
export function uncounted(
  { isCounted, isCounting, total }: { isCounted: boolean; isCounting: boolean; total: number },
  isUnaddressed: boolean,
): Uncounted | null {
  if (isUnaddressed) return "none";
  if (!isCounted) return isCounting ? "counting" : "later";
  return total === 0 ? "unusable" : null;
}

/** The same in words. */
export const UNCOUNTED: Record<Uncounted, string> = {
  none: "No recipients yet",
  unusable: "No usable recipients",
  counting: "Counting the recipients",
  later: "Counted when you go on",
};

/** What an estimate is of, and what is not in it. */
export function estimateOfWhat(known: Known): string {
  const { unpriced, hasGroups } = known;
  const left =
    unpriced > 0
      ? ` ${contacts(unpriced)} abroad ${unpriced === 1 ? "is" : "are"} left out: no price is set for ${unpriced === 1 ? "it" : "them"}.`
      : "";
  const groups = hasGroups ? " Groups are estimated at the price in Nigeria." : "";
  return `${forWhom(known)}.${left}${groups} The exact price comes next.`;
}

/** Why nothing would be sent where all are abroad without a price, and what to do. Where prices are by destination, others
 * abroad may have one. */
export function allLeftOut(total: number, otherSells: boolean, byDestination = false): string {
  const whom = byDestination ? "such numbers" : "numbers abroad";
  const all = total === 1 ? "The contact is" : `All ${contacts(total)} are`;
  const other = otherSells ? "pay from the other balance, which has one" : "ask us to set one";
  return `${all} abroad, and no price is set for ${whom}: nothing would be sent. Add numbers in Nigeria, or ${other}.`;
}

const contacts = (many: number) => counted(many, "contact");
