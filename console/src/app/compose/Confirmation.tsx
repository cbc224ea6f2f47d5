// A quote of short messages before it is paid for.

import { counted } from "../../design/count";
import { currencyOf } from "../../design/money";
import { RateLines } from "../../design/RateLines";
import { rateLines } from "../../design/rate";
import { UnitPrice } from "../../design/values";
import type { Quote } from "./calls";
import { KINDS } from "./Message";
import { Folded, Line, QuoteDialog, type QuoteDialogProps } from "./QuoteDialog";

const ENCODINGS: Record<string, string> = { gsm7: "plain letters", ucs2: "Unicode", binary: "binary" };

export function Confirmation(props: QuoteDialogProps) {
  return (
    <QuoteDialog
      {...props}
      own={(quote) => ({
        one: "message",
        kind: KINDS.find((it) => it.kind === quote.sms_type)?.label ?? quote.sms_type,
        from: (
          <>
            <Line name="Route">{quote.route}</Line>
            <Line name="Sender ID">{quote.sender_id}</Line>
          </>
        ),
        sum: <Sum quote={quote} />,
        each: (
          <Line name="Each message">
            {span(quote.pages, "page")}, {span(quote.segments, "segment")} as{" "}
            {ENCODINGS[quote.encoding] ?? quote.encoding}
          </Line>
        ),
        refund: "Messages the carrier rejects are refunded.",
        more: <Replaced quote={quote} />,
      })}
    />
  );
}

function Sum({ quote }: { quote: Quote }) {
  const currency = currencyOf(quote.currency);
  const lines = rateLines(quote);
  if (lines.length > 0) return <RateLines lines={lines} currency={currency} />;
  return (
    <>
      {counted(quote.total_pages, "page")} at <UnitPrice value={quote.unit_price} currency={currency} />
    </>
  );
}

function span([least, most]: readonly [number, number], one: string): string {
  return least === most ? counted(least, one) : `${least} to ${counted(most, one)}`;
}

/** How many characters are sent in another form, and which. */
function Replaced({ quote }: { quote: Quote }) {
  const { replacements } = quote;
  if (replacements.length === 0) return null;
  const all = replacements.reduce((sum, it) => sum + it.count, 0);
  return (
    <Folded
      summary={
        <>
          <b>{counted(all, "character")} replaced</b>, so that the message stays plain text
        </>
      }
    >
      {replacements
        .map(
          ({ from, to, count: times }) =>
            `${from} by ${to || "nothing"}${times > 1 ? ` (${times} times)` : ""}`,
        )
        .join(", ")}
    </Folded>
  );
}
