// What a campaign's money is, in the same words and figures for the customer and for administrators:
// reserved when it is confirmed, charged as messages are accepted, refunded where they are not sent.
import { amountOf, type Currency, currencyOf, formatWhole, micros } from "./money";

/** The fields of a campaign that say where its money is. */
export interface ChargedCampaign {
  currency: string;
  total_charges: number;
  captured: number;
  released: number;
  refunded: number;
  reserved: number;
}

export interface Charge {
  currency: Currency;
  /** What was confirmed. */
  total: string;
  /** Set aside for messages that have no outcome yet. */
  reserved: string;
  /** Paid, less what was refunded afterwards. */
  charged: string;
  /** Back in the wallet: never charged, or charged and refunded. */
  refunded: string;
  /** What it holds or took of the wallet now: reserved and charged. */
  cost: string;
}

const sum = (value: number) => micros(value) ?? 0n;

export function chargeOf(campaign: ChargedCampaign): Charge {
  const charged = sum(campaign.captured) - sum(campaign.refunded);
  return {
    currency: currencyOf(campaign.currency),
    total: amountOf(sum(campaign.total_charges)),
    reserved: amountOf(sum(campaign.reserved)),
    charged: amountOf(charged),
    refunded: amountOf(sum(campaign.released) + sum(campaign.refunded)),
    cost: amountOf(charged + sum(campaign.reserved)),
  };
}

/** `charged`, `reserved`, or how much of each. */
export function chargeWords(charge: Charge): string {
  if (micros(charge.reserved) === 0n) return "charged";
  if (micros(charge.charged) === 0n) return "reserved";
  return `${formatWhole(charge.reserved, charge.currency)} reserved`;
}
