// What forms say before the daemon would: the specification's words.
import { micros } from "../../design/money";

export const required = (message: string) => (value: unknown) =>
  typeof value === "string" && value.trim() !== "" ? undefined : message;

/** An amount as typed: digits with at most six decimals, few enough that JSON's number holds it exactly. */
export function amount(value: unknown, missing: string): string | undefined {
  const text = String(value ?? "").trim();
  if (!text) return missing;
  const found = micros(text);
  if (found === null || found < 0n) return "Write a number such as 4.5, with at most six decimals";
  if (text.replace(/\D/g, "").length > 15) return "That is more digits than an amount has";
  return undefined;
}
