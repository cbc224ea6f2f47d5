// What a unit costs from each of the two balances: a page of a message, a pulse of a call. The quote says what is charged;
// this is the price beforehand.
import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../api/client";
import { own, type SmsPrices } from "../api/queries";
import { amountOf, type Currency, formatUnitPrice, formatWhole, micros } from "./money";

export type PaymentMethod = "espees" | "paystack";

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

/** The same to numbers outside Nigeria. */
export function pagePricesAbroad(prices: SmsPrices): UnitPrices {
  return {
    espees: firstPrice(prices["SMS-ABROAD-UNIT-PRICE"] ?? []),
    paystack: firstPrice(prices["SMS-ABROAD-UNIT-PRICE-IN-NAIRA"] ?? []),
  };
}

/** The price in the specification's list of records; null while it is not set. */
function firstPrice(records: readonly { value: number }[]): bigint | null {
  const [record] = records;
  return record ? micros(record.value) : null;
}

/** The number that calls come from; `plain` is the platform's. */
export type CallerKind = "plain" | "own_number" | "virtual_number";

/** What a pulse costs: in ESPEES by the number that calls come from, in Naira always the same. */
export function pulsePricesQuery(caller: CallerKind) {
  return queryOptions({
    queryKey: own("pulse-prices", caller),
    queryFn: async (): Promise<UnitPrices> => {
      const plain = await ask(api.GET("/api/get-voice-unit-price"));
      const paystack = firstPrice(plain["VOICE-UNIT-PRICE-NAIRA"]);
      if (caller === "own_number") {
        const { "OWN-UNIT-PRICE": price } = await ask(api.GET("/api/get-own-price"));
        return { espees: firstPrice(price), paystack };
      }
      if (caller === "virtual_number") {
        const { "VIRTUAL-UNIT-PRICE": price } = await ask(api.GET("/api/get-virtual-price"));
        return { espees: firstPrice(price), paystack };
      }
      return { espees: firstPrice(plain["VOICE-UNIT-PRICE"]), paystack };
    },
  });
}

const METHODS: readonly PaymentMethod[] = ["espees", "paystack"];

/** `0.30000 ESPEES or ₦9.00000`: the prices that are set; null while none is known. */
export function pricesInWords(prices: UnitPrices | undefined): string | null {
  const known = METHODS.flatMap((method) => {
    const price = prices?.[method] ?? null;
    return price === null ? [] : [unitPrice(price, method)];
  });
  return known.join(" or ") || null;
}

/** A price in micro-units, of one unit. */
export function unitPrice(price: bigint, method: PaymentMethod): string {
  return formatUnitPrice(amountOf(price), CURRENCY[method]);
}

/** An amount in micro-units as a charge: as many decimals as it has, at least two. */
export function charge(amount: bigint, method: PaymentMethod): string {
  return formatWhole(amountOf(amount), CURRENCY[method]);
}
