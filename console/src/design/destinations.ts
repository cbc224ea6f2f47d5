// The rates as visitors and customers read them: what a page costs at each destination, in each currency, also where a rate is in force in
// one of them only.
import type { components } from "../api/schema";
import { type Currency, micros } from "./money";
import type { Purpose } from "./purpose";
import { destinationKey, destinationName } from "./rate";

type Rate = components["schemas"]["Rate"];

/** Micro-units by currency; null where it is not sold. */
export type Costs = Record<Currency, bigint | null>;

export interface OwnCosts extends Costs {
  purpose: Purpose;
}

/** What a page of alerts and receipts costs there. */
export interface Destination extends Costs {
  name: string;
  /** Of messages for other purposes, where they cost something else. */
  others: OwnCosts[];
}

const OTHERS = ["promotional", "otp"] as const satisfies readonly Purpose[];
const HOME = "234";

const isSold = ({ naira, espees }: Costs) => naira !== null || espees !== null;

/** Those that something is sold to. `home` and `abroad`: the prices where no rate is in force. Without one at home nothing is
 * sold. */
export function destinationsOf(rates: readonly Rate[], home: Costs, abroad: Costs): Destination[] {
  const byKey = new Map(rates.map((it) => [destinationKey(it), it]));
  const priceOf = ({ prefix, network }: Rate, purpose: Purpose, currency: Currency): bigint | null => {
    if (home[currency] === null) return null;
    const price = priceIn(byKey, { prefix, network, purpose }, currency);
    if (price !== null) return micros(price);
    return (prefix.startsWith(HOME) ? home : abroad)[currency];
  };
  const costsOf = (rate: Rate, purpose: Purpose): Costs => ({
    naira: priceOf(rate, purpose, "naira"),
    espees: priceOf(rate, purpose, "espees"),
  });
  const places = new Map(
    rates.map(({ prefix, network }) => [destinationKey({ prefix, network }), { prefix, network }]),
  );
  const all = [...places.values()].map((place): Destination => {
    const costs = costsOf(place, "transactional");
    const others = OTHERS.map((purpose) => ({ purpose, ...costsOf(place, purpose) })).filter(
      (it) => it.naira !== costs.naira || it.espees !== costs.espees,
    );
    return { name: destinationName(place), ...costs, others };
  });
  return all.filter((it) => isSold(it) || it.others.length > 0);
}

type Wanted = Pick<Rate, "prefix" | "network"> & { purpose: Purpose };

/** What the rate that holds says: the longest prefix wins, for the same prefix the network, and for the same network the
 * purpose. One without a price in this currency is as if it were not there. */
function priceIn(byKey: ReadonlyMap<string, Rate>, { prefix, network, purpose }: Wanted, currency: Currency) {
  const networks = network ? [network, null] : [null];
  for (let length = prefix.length; length > 0; length -= 1) {
    for (const network of networks) {
      for (const of of [purpose, null]) {
        const key = destinationKey({ prefix: prefix.slice(0, length), network, purpose: of });
        const price = byKey.get(key)?.[currency];
        if (price != null) return price;
      }
    }
  }
  return null;
}
