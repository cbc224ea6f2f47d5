// A quote of calls before it is paid for: the most that they can cost, and what is refunded.

import { counted } from "../../../design/count";
import { duration } from "../../../design/duration";
import { currencyOf } from "../../../design/money";
import { callerName } from "../../../design/sendWords";
import { UnitPrice } from "../../../design/values";
import { Line, QuoteDialog, type QuoteDialogProps } from "../QuoteDialog";

export function VoiceConfirmation(props: QuoteDialogProps) {
  return (
    <QuoteDialog
      {...props}
      own={(quote) => ({
        one: "call",
        kind: "Voice",
        from: <Line name="Calls come from">{callerName(quote.sender_id)}</Line>,
        length: (
          <>
            <Line name="Length">
              {(quote.poll?.plays ?? 1) > 1 && "At most "}
              {duration(quote.length_s ?? 0)}
            </Line>
            {quote.poll && <Line name="Keys">{keyWords(quote.poll)}</Line>}
          </>
        ),
        bound: "At most",
        sum: (
          <>
            {counted(quote.total_contacts, "call")} of at most {counted(quote.pulses ?? 0, "pulse")} at{" "}
            <UnitPrice value={quote.unit_price} currency={currencyOf(quote.currency)} />
          </>
        ),
        each: quote.pulse && <Line name="A pulse">{pulseWords(quote.pulse)}</Line>,
        refund:
          "It is the most the calls can cost: calls that are not answered cost nothing, and pulses that are not used are refunded.",
      })}
    />
  );
}

/** `1 = Yes, 2 = No; 9 always opts out`, and how often the question is played. */
export function keyWords({ keys, plays }: { keys: { key: string; label: string }[]; plays: number }): string {
  const named = keys.map(({ key, label }) => `${key} = ${label}`).join(", ");
  return `${named}; 9 always opts out${plays > 1 ? `. Played up to ${plays} times` : ""}`;
}

/** `60/60` as `60 s of a call from its answer on`, `30/6` with what follows the first. */
export function pulseWords(pulse: string): string {
  const [first, next] = pulse.split("/");
  const begun = "of a call, counted from its answer";
  return first === next
    ? `Each ${first} s begun ${begun}`
    : `The first ${first} s, then each ${next} s begun, ${begun}`;
}
