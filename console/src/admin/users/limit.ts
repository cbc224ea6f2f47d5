// A limit of a day as people choose it, and as the API takes it.
import type { components } from "../../api/schema";

export type Limits = components["schemas"]["UserLimits"] & { id: number };

export interface Cap {
  kind: "default" | "none" | "own";
  /** As it is written, for a limit of its own. */
  amount: string;
}

export function capOf(cap: number | null | undefined, isDefault: boolean): Cap {
  const amount = cap == null ? "" : String(cap);
  if (isDefault) return { kind: "default", amount };
  return cap == null ? { kind: "none", amount } : { kind: "own", amount };
}

/** `default`, `0` for no limit, or an amount; empty where it still has to be written. A limit of 0 would be none. */
export function capText({ kind, amount }: Cap): string {
  if (kind === "default") return "default";
  if (kind === "none") return "0";
  const plain = amount.replaceAll(",", "").trim();
  return /^0*\.?0*$/.test(plain) ? "" : plain;
}
