// How unknown messages are settled, and what that does to money. The daemon takes at most 1,000 by name, or a campaign.
import { api, ask } from "../../api/client";
import { messages } from "../../design/count";
import { moneyOf } from "../../design/money";
import type { Message } from "../list/messageColumns";

export type Quote = NonNullable<Awaited<ReturnType<typeof resolve>>["quote"]>;
export type Resolution = "sent" | "refunded" | "resend";

/** What is settled: messages that were chosen, or all unknown ones of a campaign. */
export type ResolveTarget =
  | { rows: readonly Message[] }
  | { campaign: number; count: number; reserved: { value: number; currency: string } | null };

export interface Choice {
  outcome: Resolution;
  label: string;
  text: string;
  /** Why it cannot be chosen. */
  not?: string;
}

export function countOf(settled: ResolveTarget): number {
  return "rows" in settled ? settled.rows.length : settled.count;
}

/** The three ways, each with what will happen in numbers. */
export function resolutions(settled: ResolveTarget): Choice[] {
  const many = messages(countOf(settled));
  const money = moneyIn(settled);
  const several = "rows" in settled && new Set(settled.rows.map((it) => it.campaign_id)).size > 1;
  return [
    {
      outcome: "sent",
      label: "They were sent",
      text: `${money} is charged for ${many}. Their receipts are awaited no longer.`,
    },
    {
      outcome: "refunded",
      label: "They were not sent",
      text: `${money} goes back to the wallet, and nothing is sent. If one did go out after all, nobody pays for it.`,
    },
    {
      outcome: "resend",
      label: "Send them again",
      text: `${money} goes back to the wallet first, then a quote for ${many} is made, which you or the owner confirms. Whoever got the first one gets it twice.`,
      ...(several ? { not: "They are of several campaigns: send again campaign by campaign." } : {}),
    },
  ];
}

function moneyIn(settled: ResolveTarget): string {
  if ("rows" in settled) {
    return moneyOf(settled.rows.map((it) => ({ value: it.price, currency: it.currency ?? "" })));
  }
  return settled.reserved ? `Their part of the ${moneyOf([settled.reserved])} reserved` : "Their money";
}

export function resolve(settled: ResolveTarget, outcome: Resolution) {
  const body =
    "rows" in settled
      ? { outcome, messages: settled.rows.map((it) => it.id) }
      : { outcome, campaign_id: settled.campaign };
  return ask(api.POST("/admin/messages/resolve", { body }));
}

const CONFIRM = {
  text: "/api/confirm-send-text-sms",
  flash: "/api/confirm-send-flash-sms",
  unicode: "/api/confirm-send-unicode-sms",
  "wap-push": "/api/confirm-send-wap-push-sms",
  vcard: "/api/confirm-send-vcard-sms",
} as const;

/** Sends what was quoted, at its owner's expense. */
export function confirmQuote(quote: Quote) {
  const path = CONFIRM[quote.sms_type as keyof typeof CONFIRM];
  return ask(api.POST(path, { body: { quote_id: quote.quote_id } }));
}
