// What a page costs by where it goes: destinations in words, and the lines of a quote.
import type { components } from "../api/schema";
import { amountOf, micros } from "./money";
import { networkName } from "./network";
import { purposeName } from "./purpose";

/** What numbers begin with, in digits from the calling code on, of these the numbers of one network, and of messages to them
 * those for one purpose. */
export interface Destination {
  /** None: everywhere else, outside Nigeria. */
  prefix?: string | null;
  network?: string | null;
  /** As the daemon writes it. */
  purpose?: string | null;
}

const NIGERIA = "234";

/** `Nigeria`, `Nigeria, MTN`, `+44`, `+44, codes`, `Elsewhere`. */
export function destinationName({ prefix, network, purpose }: Destination): string {
  const place = prefix ? (prefix === NIGERIA ? "Nigeria" : `+${prefix}`) : "Elsewhere";
  const parts = [place, network && networkName(network), purpose && purposeName(purpose).toLowerCase()];
  return parts.filter(Boolean).join(", ");
}

/** One string for each destination. */
export const destinationKey = ({ prefix, network, purpose }: Destination) =>
  `${prefix ?? ""} ${network ?? ""} ${purpose ?? ""}`;

type Quote = Pick<
  components["schemas"]["Quote"],
  | "rates"
  | "unit_price"
  | "total_contacts"
  | "total_pages"
  | "abroad_contacts"
  | "abroad_pages"
  | "abroad_unit_price"
>;

export interface RateLine extends Destination {
  contacts: number;
  pages: number;
  unit_price: number | string;
  charges: number | string;
}

/** The lines of a quote, one for each price of a page, the dearest first; none where all pages have the ordinary price. */
export function rateLines(quote: Quote): RateLine[] {
  const lines = quote.rates?.length ? quote.rates : formerLines(quote);
  const [first] = lines;
  const isOrdinary =
    lines.length === 1 &&
    first?.prefix === NIGERIA &&
    !first.network &&
    !first.purpose &&
    micros(first.unit_price) === micros(quote.unit_price);
  if (isOrdinary) return [];
  return [...lines].sort((a, b) => {
    const more = (micros(b.charges) ?? 0n) - (micros(a.charges) ?? 0n);
    return more > 0n ? 1 : more < 0n ? -1 : 0;
  });
}

/** Those of a daemon from before there were rates: two prices at the most. */
function formerLines(quote: Quote): RateLine[] {
  if (quote.abroad_unit_price == null) return [];
  const [contacts, pages] = [quote.abroad_contacts ?? 0, quote.abroad_pages ?? 0];
  const line = (prefix: string | null, contacts: number, pages: number, unit_price: number): RateLine => ({
    prefix,
    contacts,
    pages,
    unit_price,
    charges: amountOf((micros(unit_price) ?? 0n) * BigInt(pages)),
  });
  const home = line(NIGERIA, quote.total_contacts - contacts, quote.total_pages - pages, quote.unit_price);
  const abroad = line(null, contacts, pages, quote.abroad_unit_price);
  return home.contacts > 0 ? [home, abroad] : [abroad];
}
