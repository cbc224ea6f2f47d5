// Confirming a quote: its price is reserved and it goes out, messages and calls alike.
import { api, asForm, ask } from "./client";
import type { components } from "./schema";

type Campaign = components["schemas"]["Campaign"];

/** What is read of a quote to confirm it. */
interface Quoted {
  quote_id: number;
  sms_type: string;
  /** When its runs start; none for now. */
  starts?: readonly string[];
}

/** The answer. The API's document names two answers `Confirmed` and describes the other one. */
export interface Confirmed {
  /** The first run. */
  details: Campaign;
  /** Each run. */
  campaigns: Campaign[];
  message: string;
}

const PATHS = {
  text: ["/api/confirm-send-text-sms", "/api/confirm-schedule-text-sms"],
  flash: ["/api/confirm-send-flash-sms", "/api/confirm-schedule-flash-sms"],
  unicode: ["/api/confirm-send-unicode-sms", "/api/confirm-schedule-unicode-sms"],
  "wap-push": ["/api/confirm-send-wap-push-sms", "/api/confirm-schedule-wap-push-sms"],
  vcard: ["/api/confirm-send-vcard-sms", "/api/confirm-schedule-vcard-sms"],
} as const;

/** Runs a quote at its owner's expense. The key is the quote's, so however often it is asked it happens once. */
export async function confirmQuote({ quote_id, sms_type, starts = [] }: Quoted): Promise<Confirmed> {
  const headers = { "Idempotency-Key": `confirm-quote-${quote_id}` };
  const scheduled = starts.length > 0 ? 1 : 0;
  const answer: unknown = await (sms_type === "voice"
    ? // Calls have one address for quotes and for confirming them: a form.
      ask(api.POST("/api/voice-call", { body: {}, bodySerializer: () => asForm({ quote_id }), headers }))
    : ask(
        api.POST((PATHS[sms_type as keyof typeof PATHS] ?? PATHS.text)[scheduled], {
          body: { quote_id },
          headers,
        }),
      ));
  return answer as Confirmed;
}
