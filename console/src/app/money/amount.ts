// Amounts as people type them, checked as text and sent as text: never a float.
import { z } from "zod";
import { micros } from "../../design/money";

/** `1,500.5` as `1500.5`; null where it is no amount of at most so many decimals. */
export function plainAmount(text: string, decimals: number): string | null {
  const plain = text.trim().replace(/[,\s]/g, "").replace(/^₦/, "");
  const found = /^(\d{1,12})(?:\.(\d*))?$/.exec(plain);
  if (!found) return null;
  const part = (found[2] ?? "").replace(/0+$/, "");
  if (part.length > decimals) return null;
  return part === "" ? String(found[1]) : `${found[1]}.${part}`;
}

/** The field `amount` of a form. */
export function amountField(decimals: number) {
  return z
    .string()
    .trim()
    .min(1, "Amount is required")
    .refine(
      (it) => it === "" || plainAmount(it, decimals) !== null,
      `Write an amount such as 1500 or 1500.50, with at most ${decimals} decimals`,
    )
    .refine((it) => {
      const plain = plainAmount(it, decimals);
      return plain === null || (micros(plain) ?? 0n) > 0n;
    }, "The amount must be more than zero");
}
