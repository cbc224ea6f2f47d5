// /dashboard/text-to-speech: say it or upload it, hear it, see the most it can cost, confirm, and watch the calls.
import Stack from "@mui/material/Stack";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { own } from "../../../api/queries";
import { needsAdmin } from "../../../design/campaign/held";
import { counted } from "../../../design/count";
import { formatDateTime } from "../../../design/dateTime";
import { pulsePricesQuery, unitPrice } from "../../../design/unitPrice";
import { runsOf } from "../audience";
import { ComposeForm } from "../ComposeForm";
import { forWhom } from "../estimate";
import { Recipients } from "../Recipients";
import { Section } from "../Section";
import { useComposer } from "../useComposer";
import { Caller } from "./Caller";
import { VoiceConfirmation } from "./Confirmation";
import { quote, recordingsKey } from "./calls";
import { callerOf, EMPTY, errorsOf, fieldsOf, stored, type VoiceDraft, visibleFields } from "./draft";
import { Question } from "./Question";
import { Script } from "./Script";

const COMPOSING = {
  empty: EMPTY,
  stored,
  errorsOf,
  visibleFields,
  names: { startTime: "times", own_number: "caller", virtual_number: "caller", senderid: "caller" },
  quote,
} as const;

export default function VoicePage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const composer = useComposer<VoiceDraft>(
    {
      ...COMPOSING,
      onQuoted: ({ type }) => {
        // An MP3 is kept from then on.
        if (type === "voice") void client.invalidateQueries({ queryKey: recordingsKey() });
      },
    },
    (confirmed, draft) => {
      const at = confirmed.details.scheduled_at;
      // What is held says so in the daemon's words; otherwise the time is the reader's.
      if (confirmed.campaigns.some(needsAdmin)) composer.toasts.info(confirmed.message);
      else composer.toasts.success(at ? `Calls scheduled for ${formatDateTime(at)}` : "Voice SMS Sent");
      stored.clear();
      stored.save({ ...EMPTY, ...choicesOf(draft) });
      void client.invalidateQueries({ queryKey: own("balances") });
      void client.invalidateQueries({ queryKey: own("last-sent") });
      void navigate("/dashboard/voice-reports");
    },
  );
  const { draft, recipients } = composer;
  const runs = runsOf(draft);
  const prices = useQuery(pulsePricesQuery(callerOf(draft).kind));
  const price = draft.payment_method ? (prices.data?.[draft.payment_method] ?? null) : null;
  return (
    <ComposeForm
      composer={composer}
      title="Voice Message"
      text="Each number is called and hears it. See the most it can cost first: calls that are not answered cost nothing."
      kind="voice"
      label="Calls"
      prices={prices.data}
      pricesFailure={prices.error}
      unit="pulse"
      // What a call says, and so how long it takes, is measured with the quote.
      estimate={null}
      submit={draft.later ? "Schedule calls" : "Send voice message"}
      asking="Reading the recipients and measuring what is said."
      hint={
        composer.uncounted === null ? (
          <>
            {counted(recipients.total, "contact")}
            {runs > 1 && `, ${runs} times`}
            {price !== null && draft.payment_method && (
              <>
                {runs > 1 && ","} at {unitPrice(price, draft.payment_method)} a pulse
              </>
            )}
            . How many pulses a call takes comes next, with the price.
          </>
        ) : (
          "The most it can cost comes next, before anything is charged."
        )
      }
      forWhom={forWhom({ total: recipients.total, abroad: 0, unpriced: 0, runs })}
      fieldsOf={fieldsOf}
      confirmation={(props) => <VoiceConfirmation {...props} />}
    >
      <Section title="To">
        <Stack sx={{ gap: 2.5 }}>
          <Recipients recipients={recipients} />
          <Caller />
        </Stack>
      </Section>
      <Section title="What is said">
        <Script />
        <Question />
      </Section>
    </ComposeForm>
  );
}

/** What usually stays the same from one send to the next. */
function choicesOf({ type, ttsVoice, caller, payment_method }: VoiceDraft): Partial<VoiceDraft> {
  return { type, ttsVoice, caller, payment_method };
}
