// What a pulse of a call costs, in a sentence.
import { useQuery } from "@tanstack/react-query";
import { type CallerKind, charge, type PaymentMethod, pulsePricesQuery } from "../../design/unitPrice";

const METHODS: readonly PaymentMethod[] = ["espees", "paystack"];

/** Nothing while no price is known. */
export function PulsePrice({ of }: { of: CallerKind }) {
  const prices = useQuery(pulsePricesQuery(of)).data;
  const known = METHODS.flatMap((method) => {
    const price = prices?.[method] ?? null;
    return price === null ? [] : [charge(price, method)];
  });
  return known.length > 0 && <>Calls from it cost {known.join(" or ")} a pulse.</>;
}
