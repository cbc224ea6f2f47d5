// Settling unknown messages: three ways, one is chosen. Where they are sent again, the quote is shown and confirmed here.
import Alert from "@mui/material/Alert";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "react-admin";
import { confirmQuote } from "../../api/confirmQuote";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { currencyOf } from "../../design/money";
import { callerName, wordsOf } from "../../design/sendWords";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { DateTime, WholeMoney } from "../../design/values";
import {
  countOf,
  type Quote,
  type Resolution,
  type ResolveTarget,
  resolutions,
  resolve,
  wordsFor,
} from "./resolve";

interface Props {
  settled: ResolveTarget;
  onDone: () => void;
  onClose: () => void;
}

export function SettleDialog({ settled, onDone, onClose }: Props) {
  const [outcome, setOutcome] = useState<Resolution | null>(null);
  const [quote, setQuote] = useState<Quote | null>(null);
  const refresh = useRefresh();
  const settling = useMutation({
    mutationFn: (chosen: Resolution) => resolve(settled, chosen),
    onSuccess: (answer) => {
      toast.success(answer.message);
      refresh();
      if (answer.quote) setQuote(answer.quote);
      else onDone();
    },
  });
  if (quote) return <QuoteDialog quote={quote} onClose={onDone} />;
  const all = resolutions(settled);
  return (
    <ConfirmDialog
      open
      title={`Settle ${wordsFor(settled).of(countOf(settled))}`}
      confirm="Settle"
      busy={settling.isPending}
      disabled={!outcome}
      onConfirm={() => outcome && settling.mutate(outcome)}
      onClose={onClose}
    >
      <FormAlert text={settling.isError ? messageOf(settling.error) : null} />
      <Typography sx={{ mb: 2 }}>
        The daemon or the carrier fell silent between sending and the answer. Ask the carrier, or look at its
        report, then decide. It cannot be decided twice.
      </Typography>
      <FormControl>
        <FormLabel id="outcome">What became of them?</FormLabel>
        <RadioGroup
          aria-labelledby="outcome"
          value={outcome ?? ""}
          onChange={(event) => setOutcome(event.target.value as Resolution)}
        >
          {all.map((it) => (
            <FormControlLabel
              key={it.outcome}
              value={it.outcome}
              disabled={Boolean(it.not) || settling.isPending}
              control={<Radio />}
              sx={{ alignItems: "flex-start", mt: 1, "& .MuiRadio-root": { pt: 0.25 } }}
              label={
                <>
                  <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
                    {it.label}
                  </Typography>
                  <Typography component="span" variant="body2" color="textSecondary">
                    {it.not ?? it.text}
                  </Typography>
                </>
              }
            />
          ))}
        </RadioGroup>
      </FormControl>
    </ConfirmDialog>
  );
}

function QuoteDialog({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const currency = currencyOf(quote.currency);
  const words = wordsOf(quote.sms_type);
  const confirming = useMutation({
    mutationFn: () => confirmQuote(quote),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={
        words.isCall
          ? `Make ${words.of(quote.total_contacts)} again?`
          : `Send ${words.of(quote.total_contacts)} again?`
      }
      confirm="Yes, Proceed"
      cancel="Leave it to the owner"
      busy={confirming.isPending}
      onConfirm={() => confirming.mutate()}
      onClose={onClose}
    >
      <FormAlert text={confirming.isError ? messageOf(confirming.error) : null} />
      <Alert severity="info" sx={{ mb: 2 }}>
        The old ones are refunded. The owner's wallet pays for the new ones when this is confirmed, until{" "}
        <DateTime value={quote.expires_at} />.
      </Alert>
      <Typography>
        Total charge: <WholeMoney value={quote.total_charges} currency={currency} least={5} />. The wallet has{" "}
        <WholeMoney value={quote.balance} currency={currency} /> now and{" "}
        <WholeMoney value={quote.balance_after} currency={currency} /> after it.{" "}
        {words.isCall ? "They come from" : "They are sent as"}{" "}
        <b>{words.isCall ? callerName(quote.sender_id) : quote.sender_id}</b>.
      </Typography>
    </ConfirmDialog>
  );
}
