// Money as text: the daemon's numbers become whole micro-units before anything is done with them; no float is added,
// multiplied or rounded here.
export type Currency = "espees" | "naira";

const MICROS = 1_000_000n;
const CENT = MICROS / 100n;

/** A number or text of at most six decimals, as micro-units. Anything else is null. */
export function micros(value: number | string): bigint | null {
  const text = typeof value === "number" ? plain(value) : value.trim();
  const found = /^(-?)(\d+)(?:\.(\d{0,6}))?$/.exec(text);
  if (!found) return null;
  const [, sign, whole = "0", part = ""] = found;
  const sum = BigInt(whole) * MICROS + BigInt(part.padEnd(6, "0"));
  return sign ? -sum : sum;
}

/** JSON's number without an exponent; below a micro-unit there is nothing. */
function plain(value: number): string {
  const text = String(value);
  return /e/i.test(text) ? value.toFixed(6) : text;
}

/** `1,234.50`: cut, never rounded up, as a balance must not look larger than it is. */
export function decimal(amount: bigint, decimals: number): string {
  const positive = amount < 0n ? -amount : amount;
  const whole = (positive / MICROS).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const part = (positive % MICROS).toString().padStart(6, "0").slice(0, decimals);
  return `${amount < 0n ? "-" : ""}${whole}${decimals > 0 ? `.${part}` : ""}`;
}

/** Cut to two decimals, or to as many as are asked for. What two decimals would make nothing is shown whole. */
export function formatMoney(value: number | string, currency: Currency, decimals = 2): string {
  const amount = micros(value);
  if (amount === null) return "-";
  const small = amount !== 0n && amount > -CENT && amount < CENT;
  if (small && decimals === 2) return formatWhole(value, currency, 3);
  return inCurrency(decimal(amount, decimals), currency);
}

function inCurrency(text: string, currency: Currency): string {
  if (currency === "espees") return `${text} ESPEES`;
  return text.startsWith("-") ? `-₦${text.slice(1)}` : `₦${text}`;
}

/** With as many decimals as it has, and at least `least`: an amount that a user confirms is never cut. */
export function formatWhole(value: number | string, currency: Currency, least = 2): string {
  const part = ((micros(value) ?? 0n) % MICROS).toString().replace("-", "").padStart(6, "0");
  return formatMoney(value, currency, Math.max(least, part.replace(/0+$/, "").length));
}

/** What one unit costs, a page or a pulse: with five decimals, as in the quote, or all that it has. */
export function formatUnitPrice(value: number | string, currency: Currency): string {
  return formatWhole(value, currency, 5);
}

/** Micro-units as the text that `micros` reads: `12.5` is `12.500000`. */
export function amountOf(amount: bigint): string {
  return decimal(amount, 6).replaceAll(",", "");
}

/** The currency by any of the names the daemon uses for it. */
export function currencyOf(name: string | null | undefined): Currency {
  return name?.toLowerCase().startsWith("esp") ? "espees" : "naira";
}

/** `₦1,200.00 and 3.00 ESPEES`: sums in whole micro-units, one a currency, and none is cut. */
export function moneyOf(parts: readonly { value: number | string; currency: string }[]): string {
  const sums = new Map<Currency, bigint>();
  for (const { value, currency } of parts) {
    const name = currencyOf(currency);
    sums.set(name, (sums.get(name) ?? 0n) + (micros(value) ?? 0n));
  }
  const written = [...sums].map(([currency, sum]) => formatWhole(amountOf(sum), currency));
  return written.length === 0 ? formatMoney(0, "naira") : written.join(" and ");
}
