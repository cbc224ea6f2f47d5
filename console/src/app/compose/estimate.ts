// What a message costs by what the page knows, before a quote tells it exactly. Numbers abroad have a price of their own, and
// are left out where none is set, as the daemon leaves them out.

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

/** Null where a price is missing, or no recipient is left. */
export function estimateOf(prices: Prices, { total, abroad }: Recipients, pages: number): bigint | null {
  const home = total - abroad;
  if (home > 0 && prices.home === null) return null;
  if (home === 0 && prices.abroad === null) return null;
  const units = BigInt(pages);
  return (prices.home ?? 0n) * BigInt(home) * units + (prices.abroad ?? 0n) * BigInt(abroad) * units;
}

interface Known extends Recipients {
  sellsAbroad: boolean;
  /** How often the whole campaign is sent. */
  runs: number;
  /** Groups are among them, and what countries their numbers are of is not known. */
  hasGroups: boolean;
}

/** What an estimate is of: `for 5 contacts, 2 of them abroad`. */
export function estimateOfWhat({ total, abroad, sellsAbroad, runs, hasGroups }: Known): string {
  const counted = sellsAbroad ? total : total - abroad;
  const parts = [`for ${contacts(counted)}`];
  if (abroad > 0 && sellsAbroad) parts.push(`${abroad.toLocaleString("en")} of them abroad`);
  if (runs > 1) parts.push(`${runs} times`);
  const left =
    abroad > 0 && !sellsAbroad
      ? ` ${contacts(abroad)} abroad ${abroad === 1 ? "is" : "are"} left out: no price is set for ${abroad === 1 ? "it" : "them"}.`
      : "";
  const groups = hasGroups && sellsAbroad ? " Groups are estimated at the price in Nigeria." : "";
  return `${parts.join(", ")}.${left}${groups} The exact price comes next.`;
}

const contacts = (many: number) => `${many.toLocaleString("en")} ${many === 1 ? "contact" : "contacts"}`;
