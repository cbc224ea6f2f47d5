// What a pulse of a call costs, in a sentence.
import { useQuery } from "@tanstack/react-query";
import { type CallerKind, pricesInWords, pulsePricesQuery } from "../../design/unitPrice";

/** Nothing while no price is known. */
export function PulsePrice({ of }: { of: CallerKind }) {
  const words = pricesInWords(useQuery(pulsePricesQuery(of)).data);
  return words && <>Calls from it cost {words} a pulse.</>;
}
