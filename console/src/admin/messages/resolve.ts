// How unknown messages are settled, and what that does to money. The daemon takes at most 1,000 by name, or a campaign.
import { api, ask } from "../../api/client";
import { moneyOf } from "../../design/money";
import { type SendWords, wordsOf } from "../../design/sendWords";
import type { Message } from "../list/messageColumns";

export type Quote = NonNullable<Awaited<ReturnType<typeof resolve>>["quote"]>;
export type Resolution = "sent" | "refunded" | "resend";

/** What is settled: messages that were chosen, or all unknown ones of a campaign. */
export type ResolveTarget =
  | { rows: readonly Message[] }
  | { campaign: number; kind: string; count: number; reserved: { value: number; currency: string } | null };

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

/** The words for what is settled. Rows tell of a call once it was tried. */
export function wordsFor(settled: ResolveTarget): SendWords {
  if (!("rows" in settled)) return wordsOf(settled.kind);
  return wordsOf(...settled.rows.map((it) => (it.call ? "voice" : "text")));
}

/** The three ways, each with what will happen in numbers. */
export function resolutions(settled: ResolveTarget): Choice[] {
  const words = wordsFor(settled);
  const many = words.of(countOf(settled));
  const money = moneyIn(settled);
  const several = "rows" in settled && new Set(settled.rows.map((it) => it.campaign_id)).size > 1;
  return [
    {
      outcome: "sent",
      label: words.isCall ? "They were answered" : "They were sent",
      text: `${money} is charged for ${many}.${words.isCall ? "" : " Their receipts are awaited no longer."}`,
    },
    {
      outcome: "refunded",
      label: words.isCall ? "They were not answered" : "They were not sent",
      text: `${money} goes back to the wallet, and nothing is ${words.sent}. One that did go out after all is free of charge.`,
    },
    {
      outcome: "resend",
      label: words.isCall ? "Call them again" : "Send them again",
      text: `${money} goes back to the wallet first, then a quote for ${many} is made, which you or the owner confirms. Recipients of the first one get it twice.`,
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
