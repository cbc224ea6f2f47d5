// The last look before anything is charged: the specification's lines, then what a person with money at stake asks.
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { RefObject } from "react";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { currencyOf } from "../../design/money";
import { isShort, QuoteSummary } from "../../design/QuoteSummary";
import { FormAlert } from "../../design/states";
import { DateTime, Money } from "../../design/values";
import type { Quote } from "./calls";
import { KINDS } from "./Message";
import { Line, Networks, Notices, Rejects, Times } from "./quoteLines";
import { count } from "./Recipients";

interface Props {
  /** Null closes it. */
  quote: Quote | null;
  busy: boolean;
  problem: string | null;
  opener: RefObject<HTMLElement | null>;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirmation({ quote, busy, problem, opener, onConfirm, onClose }: Props) {
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
          <Replaced quote={quote} />
          <Rejects quote={quote} />
          <Networks quote={quote} />
          <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
            This price holds until <DateTime value={quote.expires_at} />. Messages the carrier rejects are
            refunded.
          </Typography>
        </>
      )}
    </ConfirmDialog>
  );
}

function Lines({ quote }: { quote: Quote }) {
  const currency = currencyOf(quote.currency);
  const runs = Math.max(1, quote.starts.length);
  const kind = KINDS.find((it) => it.kind === quote.sms_type)?.label ?? quote.sms_type;
  return (
    <Box component="dl" sx={{ m: 0 }}>
      <Line name="Route">{quote.route}</Line>
      <Line name="Sender ID">{quote.sender_id}</Line>
      <Line name="Message">
        <Box
          component="span"
          sx={{ whiteSpace: "pre-wrap", display: "block", maxHeight: 160, overflowY: "auto" }}
        >
          {quote.message}
        </Box>
      </Line>
      <Line name="Total Contacts">{quote.total_contacts.toLocaleString("en")}</Line>
      <Line name="Duplicate removed">{quote.total_duplicates_removed.toLocaleString("en")}</Line>
      {quote.total_suppressed > 0 && (
        <Line name="Opted out, left out">{quote.total_suppressed.toLocaleString("en")}</Line>
      )}
      <Line name={`Total charge (${currency === "espees" ? "ESPEES" : "Naira"})`} strong>
        <Money value={quote.total_charges} currency={currency} decimals={5} />
      </Line>
      <Line name="How it adds up">
        {count(quote.total_pages - (quote.abroad_pages ?? 0), "page")} at{" "}
        <Money value={quote.unit_price} currency={currency} decimals={5} />
        {quote.abroad_unit_price != null && (
          <>
            , {count(quote.abroad_pages ?? 0, "page")} abroad at{" "}
            <Money value={quote.abroad_unit_price} currency={currency} decimals={5} />
          </>
        )}
        {runs > 1 && `, sent ${runs} times`}
      </Line>
      <Line name="SMS type">{kind}</Line>
      <Line name="Each message">
        {span(quote.pages, "page")}, {span(quote.segments, "segment")} as{" "}
        {{ gsm7: "plain letters", ucs2: "Unicode", binary: "binary" }[quote.encoding] ?? quote.encoding}
      </Line>
      <Times quote={quote} one="message" />
      <Line name="Balance after">
        <Money value={quote.balance_after} currency={currency} />
      </Line>
    </Box>
  );
}

function span([least, most]: readonly [number, number], one: string): string {
  return least === most ? count(least, one) : `${least} to ${count(most, one)}`;
}

function Replaced({ quote }: { quote: Quote }) {
  if (quote.replacements.length === 0) return null;
  return (
    <Typography variant="body2" sx={{ mt: 2 }}>
      Replaced so that it stays plain text:{" "}
      {quote.replacements
        .map(
          ({ from, to, count: times }) =>
            `${from} by ${to || "nothing"}${times > 1 ? ` (${times} times)` : ""}`,
        )
        .join(", ")}
    </Typography>
  );
}
