// Single values as every page shows them.
import Chip from "@mui/material/Chip";
import { formatDateTime } from "./dateTime";
import { type Currency, formatMoney, formatUnitPrice, formatWhole } from "./money";
import { USUAL } from "./stacked";

interface MoneyProps {
  value: number | string;
  currency: Currency;
}

/** A balance: two decimals. */
export function Money({ value, currency }: MoneyProps) {
  return <Figure>{formatMoney(value, currency)}</Figure>;
}

/** What is confirmed, reserved, charged, refunded or left of a balance by that: with every decimal, as such sums add up, and
 * at least two unless more are asked for. */
export function WholeMoney({ value, currency, least }: MoneyProps & { least?: number }) {
  return <Figure>{formatWhole(value, currency, least)}</Figure>;
}

/** What one unit costs, a page of a message or a pulse of a call. */
export function UnitPrice({ value, currency }: MoneyProps) {
  return <Figure>{formatUnitPrice(value, currency)}</Figure>;
}

function Figure({ children }: { children: string }) {
  return <span style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>{children}</span>;
}

/** A dash where there is nothing: a phone has no room for it. */
export function None() {
  return <span {...USUAL}>-</span>;
}

interface DateTimeProps {
  value: string | null | undefined;
  none?: string;
  seconds?: boolean;
}

export function DateTime({ value, none, seconds }: DateTimeProps) {
  if (!value) return none === undefined ? <None /> : <span>{none}</span>;
  return (
    <time dateTime={value} style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
      {formatDateTime(value, undefined, { seconds })}
    </time>
  );
}

type Tone = "success" | "error" | "warning" | "info" | "neutral";

/** Statuses of the platform, in words and tones. The word carries the meaning; the colour only helps. */
const TONES: Record<string, Tone> = {
  active: "success",
  approved: "success",
  completed: "success",
  delivered: "success",
  paid: "success",
  success: "success",
  verified: "success",
  sending: "info",
  submitted: "info",
  submitting: "info",
  scheduled: "info",
  running: "info",
  pending: "warning",
  paused: "warning",
  queued: "warning",
  unknown: "warning",
  expired: "error",
  failed: "error",
  rejected: "error",
  undelivered: "error",
  disapproved: "error",
  declined: "error",
  inactive: "neutral",
  cancelled: "neutral",
  suppressed: "neutral",
};

export function StatusChip({ status, tone }: { status: string; tone?: Tone }) {
  const colour = tone ?? TONES[status.toLowerCase()] ?? "neutral";
  const words = status.charAt(0).toUpperCase() + status.slice(1).replaceAll("_", " ");
  return (
    <Chip
      size="small"
      label={words}
      sx={(theme) => ({
        fontWeight: 600,
        borderRadius: 1.5,
        color: colour === "neutral" ? "text.secondary" : theme.palette[colour].main,
        backgroundColor: colour === "neutral" ? theme.palette.divider : theme.palette[colour].light,
        "& .MuiChip-label": { color: colour === "neutral" ? "text.primary" : undefined },
      })}
    />
  );
}
