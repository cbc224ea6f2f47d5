// The last look before calls are paid for: the most that they can cost, how that adds up, and what is given back.
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { RefObject } from "react";
import { ConfirmDialog } from "../../../design/ConfirmDialog";
import { duration } from "../../../design/duration";
import { currencyOf } from "../../../design/money";
import { formatPhone } from "../../../design/phone";
import { isShort, QuoteSummary } from "../../../design/QuoteSummary";
import { FormAlert } from "../../../design/states";
import { DateTime, Money } from "../../../design/values";
import type { Quote } from "../calls";
import { Line, Networks, Notices, Rejects, Times } from "../quoteLines";
import { count } from "../Recipients";

interface Props {
  /** Null closes it. */
  quote: Quote | null;
  busy: boolean;
  problem: string | null;
  opener: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onClose: () => void;
}

export function VoiceConfirmation({ quote, busy, problem, opener, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      open={quote !== null}
      title="Confirm Campaign Submission"
      confirm="Yes, Proceed"
      cancel="No, Cancel"
      busy={busy}
      disabled={quote !== null && isShort(quote)}
      maxWidth="sm"
      summary={quote && <QuoteSummary quote={quote} />}
      opener={opener}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {quote && (
        <>
          <FormAlert text={problem} />
          <Notices quote={quote} />
          <Lines quote={quote} />
          <Rejects quote={quote} />
          <Networks quote={quote} />
          <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
            This price holds until <DateTime value={quote.expires_at} />. It is the most the calls can cost:
            calls that are not answered cost nothing, and pulses that are not used are given back.
          </Typography>
        </>
      )}
    </ConfirmDialog>
  );
}

function Lines({ quote }: { quote: Quote }) {
  const currency = currencyOf(quote.currency);
  const runs = Math.max(1, quote.starts.length);
  const pulses = quote.pulses ?? 0;
  return (
    <Box component="dl" sx={{ m: 0 }}>
      <Line name="Calls come from">
        {/^\d+$/.test(quote.sender_id) ? formatPhone(quote.sender_id) : "The platform's number"}
      </Line>
      <Line name="Message">
        <Box
          component="span"
          sx={{ whiteSpace: "pre-wrap", display: "block", maxHeight: 160, overflowY: "auto" }}
        >
          {quote.message}
        </Box>
      </Line>
      <Line name="Length">{duration(quote.length_s ?? 0)}</Line>
      <Line name="Total Contacts">{quote.total_contacts.toLocaleString("en")}</Line>
      <Line name="Duplicate removed">{quote.total_duplicates_removed.toLocaleString("en")}</Line>
      {quote.total_suppressed > 0 && (
        <Line name="Opted out, left out">{quote.total_suppressed.toLocaleString("en")}</Line>
      )}
      <Line name={`Total charge (${currency === "espees" ? "ESPEES" : "Naira"})`} strong>
        At most <Money value={quote.total_charges} currency={currency} decimals={5} />
      </Line>
      <Line name="How it adds up">
        {count(quote.total_contacts, "call")} of at most {count(pulses, "pulse")} at{" "}
        <Money value={quote.unit_price} currency={currency} decimals={5} />
        {runs > 1 && `, ${runs} times`}
      </Line>
      {quote.pulse && <Line name="A pulse">{pulseWords(quote.pulse)}</Line>}
      <Line name="SMS type">Voice</Line>
      <Times quote={quote} one="call" />
      <Line name="Balance after">
        <Money value={quote.balance_after} currency={currency} />
      </Line>
    </Box>
  );
}

/** `60/60` as `60 s of a call from its answer on`, `30/6` with what follows the first. */
export function pulseWords(pulse: string): string {
  const [first, next] = pulse.split("/");
  const begun = "of a call, counted from its answer";
  return first === next
    ? `Each ${first} s begun ${begun}`
    : `The first ${first} s, then each ${next} s begun, ${begun}`;
}
