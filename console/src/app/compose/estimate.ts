// What a message costs by what the page knows, before a quote tells it exactly. Numbers abroad have a price of their own, and
// are left out where none is set, as the daemon leaves them out.
import { counted } from "../../design/count";

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

/** Null where a price is missing, or no recipient is left. Without a price at home nothing is sold, nor abroad. */
export function estimateOf(prices: Prices, { total, abroad }: Recipients, pages: number): bigint | null {
  const home = total - abroad;
  if (prices.home === null || (home === 0 && prices.abroad === null)) return null;
  const units = BigInt(pages);
  return prices.home * BigInt(home) * units + (prices.abroad ?? 0n) * BigInt(abroad) * units;
}

interface Counted extends Recipients {
  /** Numbers abroad have a price; those that have none are left out. */
  sellsAbroad: boolean;
  /** How often the whole campaign is sent. */
  runs: number;
}

/** Of how many it is: `for 5 contacts, 2 of them abroad, 3 times`. */
export function forWhom({ total, abroad, sellsAbroad, runs }: Counted): string {
  const parts = [`for ${contacts(sellsAbroad ? total : total - abroad)}`];
  if (abroad > 0 && sellsAbroad) parts.push(`${abroad.toLocaleString("en")} of them abroad`);
  if (runs > 1) parts.push(`${runs} times`);
  return parts.join(", ");
}

interface Known extends Counted {
  /** Groups are among them, and what countries their numbers are of is not known. */
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
  const { abroad, sellsAbroad, hasGroups } = known;
  const left =
    abroad > 0 && !sellsAbroad
      ? ` ${contacts(abroad)} abroad ${abroad === 1 ? "is" : "are"} left out: no price is set for ${abroad === 1 ? "it" : "them"}.`
      : "";
  const groups = hasGroups && sellsAbroad ? " Groups are estimated at the price in Nigeria." : "";
  return `${forWhom(known)}.${left}${groups} The exact price comes next.`;
}

/** Why nothing would be sent where all are abroad without a price, and what to do. */
export function allLeftOut(total: number, otherSells: boolean): string {
  const all = total === 1 ? "The contact is" : `All ${contacts(total)} are`;
  const other = otherSells ? "pay from the other balance, which has one" : "ask us to set one";
  return `${all} abroad, and no price is set for numbers abroad: nothing would be sent. Add numbers in Nigeria, or ${other}.`;
}

const contacts = (many: number) => counted(many, "contact");
