// Prices while writing. The quote says what is charged; this is the same sum over what the page understands so far.
import type { SmsPrices } from "../../api/queries";
import { type Currency, formatWhole, micros } from "../../design/money";
import type { PaymentMethod } from "./audience";

export const CURRENCY: Record<PaymentMethod, Currency> = { espees: "espees", paystack: "naira" };

/** What one unit costs from each balance, in micro-units; null while it is not set. */
export type UnitPrices = Record<PaymentMethod, bigint | null>;

/** The prices of a page. */
export function pagePrices(prices: SmsPrices): UnitPrices {
  return {
    espees: firstPrice(prices["SMS-UNIT-PRICE"]),
    paystack: firstPrice(prices["SMS-UNIT-PRICE-IN-NAIRA"]),
  };
}

/** The price in the specification's list of records; null while it is not set. */
export function firstPrice(records: readonly { value: number }[]): bigint | null {
  const [record] = records;
  return record ? micros(record.value) : null;
}

/** An amount in micro-units as a charge: as many decimals as it has, at least two. */
export function charge(amount: bigint, method: PaymentMethod): string {
  const part = (amount % 1_000_000n).toString().padStart(6, "0");
  return formatWhole(`${amount / 1_000_000n}.${part}`, CURRENCY[method]);
}
