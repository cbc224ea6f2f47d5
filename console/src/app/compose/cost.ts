// Prices while writing. The quote says what is charged; this is the same sum over what the page understands so far.
import type { SmsPrices } from "../../api/queries";
import { type Currency, formatWhole, micros } from "../../design/money";
import type { PaymentMethod } from "./draft";

export const CURRENCY: Record<PaymentMethod, Currency> = { espees: "espees", paystack: "naira" };

/** The price of a page; null while it is not set or not known. */
export function unitPrice(prices: SmsPrices | undefined, method: PaymentMethod): bigint | null {
  const list = method === "espees" ? prices?.["SMS-UNIT-PRICE"] : prices?.["SMS-UNIT-PRICE-IN-NAIRA"];
  const value = list?.[0]?.value;
  return value === undefined ? null : micros(value);
}

/** An amount in micro-units as a charge: as many decimals as it has, at least two. */
export function charge(amount: bigint, method: PaymentMethod): string {
  const part = (amount % 1_000_000n).toString().padStart(6, "0");
  return formatWhole(`${amount / 1_000_000n}.${part}`, CURRENCY[method]);
}
