// Quotes as this page shows and confirms them.
import { api, asForm, ask } from "../../../api/client";
import { count } from "../../../design/count";
import type { Campaign, Kind } from "../outcomes";

/** Quotes what failed of a campaign and was not sent again yet. Charges nothing. */
export async function quoteFailed(id: number) {
  return (await ask(api.POST("/api/campaigns/{id}/resend", { params: { path: { id } } }))).details;
}

export type Quote = Awaited<ReturnType<typeof quoteFailed>>;

const CONFIRM = {
  text: "/api/confirm-send-text-sms",
  flash: "/api/confirm-send-flash-sms",
  unicode: "/api/confirm-send-unicode-sms",
  "wap-push": "/api/confirm-send-wap-push-sms",
  vcard: "/api/confirm-send-vcard-sms",
} as const satisfies Record<Exclude<Kind, "voice">, string>;

/** What confirming a quote answers. The document has another `Confirmed`, of payments, under the same name. */
interface Sent {
  details: Campaign;
  message: string;
}

/** Confirms a quote: its price is reserved and it goes out. However often it is asked, once. */
export async function confirm({ quote_id, sms_type }: Quote): Promise<Sent> {
  const sent: unknown = await (sms_type === "voice"
    ? confirmCalls(quote_id)
    : confirmMessages(quote_id, sms_type));
  return sent as Sent;
}

function confirmMessages(quote_id: number, sms_type: string) {
  const path = CONFIRM[sms_type as keyof typeof CONFIRM] ?? CONFIRM.text;
  return ask(api.POST(path, { body: { quote_id } }));
}

/** Calls have one address for quotes and for confirming them: a form. */
function confirmCalls(quote_id: number) {
  return ask(api.POST("/api/voice-call", { body: {}, bodySerializer: () => asForm({ quote_id }) }));
}

/** `1`, or `1 to 3` where recipients differ. */
export function range(fewestAndMost: readonly number[]): string {
  const [fewest = 0, most = fewest] = fewestAndMost;
  return fewest === most ? count(fewest) : `${count(fewest)} to ${count(most)}`;
}
