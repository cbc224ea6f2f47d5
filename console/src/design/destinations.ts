// The rates as visitors and customers read them: what a page costs at each destination, in each currency, also where a rate is in force in
// one of them only.
import type { components } from "../api/schema";
import { type Currency, micros } from "./money";
import { destinationName } from "./rate";

type Rate = components["schemas"]["Rate"];

/** Micro-units by currency; null where it is not sold. */
export type Costs = Record<Currency, bigint | null>;

export interface Destination extends Costs {
  name: string;
}

const CURRENCIES = ["naira", "espees"] as const;
const HOME = "234";

/** `home` and `abroad`: the prices where no rate is in force. Without one at home nothing is sold. */
export function destinationsOf(rates: readonly Rate[], home: Costs, abroad: Costs): Destination[] {
  const priceOf = (rate: Rate, currency: Currency): bigint | null => {
    if (home[currency] === null) return null;
    const [best] = rates
      .filter((it) => it[currency] != null && holds(it, rate))
      // The longest prefix wins, and for the same prefix the network.
      .sort((a, b) => b.prefix.length - a.prefix.length || (b.network ? 1 : 0) - (a.network ? 1 : 0));
    const price = best?.[currency];
    if (price != null) return micros(price);
    return (rate.prefix.startsWith(HOME) ? home : abroad)[currency];
  };
  return rates.map((rate) => {
    const [naira, espees] = CURRENCIES.map((it) => priceOf(rate, it));
    return { name: destinationName(rate), naira: naira ?? null, espees: espees ?? null };
  });
}

/** Whether a rate holds for all numbers of another's destination. */
function holds(rate: Rate, of: Rate): boolean {
  return of.prefix.startsWith(rate.prefix) && (!rate.network || rate.network === of.network);
}
