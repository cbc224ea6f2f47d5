// Sends what failed once more, each message or call once: its own quote first, and nothing is charged before that is confirmed.

import ReplayOutlined from "@mui/icons-material/ReplayOutlined";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { confirmQuote } from "../../api/confirmQuote";
import { messageOf } from "../../api/problem";
import { balancesQuery, lastSentQuery, own } from "../../api/queries";
import { ConfirmDialog } from "../ConfirmDialog";
import { count } from "../count";
import { duration } from "../duration";
import { currencyOf } from "../money";
import { networkName } from "../network";
import { purposeName } from "../purpose";
import { isShort, QuoteSummary } from "../QuoteSummary";
import { RateLines } from "../RateLines";
import { rateLines } from "../rate";
import { callerName, wordsOf } from "../sendWords";
import { toast } from "../toasts";
import { DateTime, UnitPrice, WholeMoney } from "../values";
import { type Campaign, groups, kindName } from "./outcomes";
import { Below, Fact, Facts } from "./Panel";
import { type Quote, quoteFailed, range } from "./quote";

export function Resend({ campaign }: { campaign: Campaign }) {
  const [quote, setQuote] = useState<Quote | null>(null);
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id } = campaign;
  const offer = useMutation({
    mutationFn: () => quoteFailed(id),
    onSuccess: (details) => {
      setQuote(details);
      setOpen(true);
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const send = useMutation({
    mutationFn: confirmQuote,
    onSuccess: ({ details, message }) => {
      toast.success(message);
      setOpen(false);
      void client.invalidateQueries({ queryKey: own("campaigns") });
      void client.invalidateQueries({ queryKey: balancesQuery().queryKey });
      void client.invalidateQueries({ queryKey: lastSentQuery().queryKey });
      void navigate(`/dashboard/campaigns/${details.id}`);
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  // Each failed message is sent again once.
  const left = campaign.resendable ?? groups(campaign.counts).failed;
  if (left === 0) return null;
  return (
    <>
      <Button
        ref={opener}
        variant="contained"
        startIcon={<ReplayOutlined />}
        loading={offer.isPending}
        loadingPosition="start"
        onClick={() => offer.mutate()}
      >
        Resend failed{campaign.resendable == null ? "" : ` (${count(left)})`}
      </Button>
      {quote && (
        <ConfirmDialog
          open={open}
          title={
            wordsOf(campaign.sms_type).isCall
              ? "Make the failed calls again?"
              : "Send the failed messages again?"
          }
          confirm="Yes, Proceed"
          cancel="No, Cancel"
          busy={send.isPending}
          disabled={isShort(quote)}
          summary={<QuoteSummary quote={quote} />}
          opener={opener}
          onConfirm={() => send.mutate(quote)}
          onClose={() => setOpen(false)}
        >
          <Lines quote={quote} campaign={campaign} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Lines({ quote, campaign }: { quote: Quote; campaign: Campaign }) {
  const currency = currencyOf(quote.currency);
  const words = wordsOf(quote.sms_type);
  const lines = words.isCall ? [] : rateLines(quote);
  const networks = Object.entries(quote.networks)
    .map(([name, many]) => `${networkName(name)} ${count(many)}`)
    .join(", ");
  const before = groups(campaign.counts).failed - quote.total_contacts - quote.total_suppressed;
  return (
    <>
      <Typography sx={{ mb: 2 }}>
        {words.of(quote.total_contacts)} of campaign {campaign.id} will be {words.sent} again as a new
        campaign, at today's price.
        {before > 0 && ` ${count(before)} more ${before === 1 ? "was" : "were"} ${words.sent} again before.`}
      </Typography>
      <Facts>
        {words.isCall ? (
          <Fact name="Calls come from">{callerName(quote.sender_id)}</Fact>
        ) : (
          <>
            <Fact name="Route">{quote.route}</Fact>
            <Fact name="Sender ID">{quote.sender_id}</Fact>
          </>
        )}
        <Fact name="Message">{quote.message}</Fact>
        <Fact name="For">
          {purposeName(quote.purpose)}, as campaign {campaign.id}
        </Fact>
        <Fact name="SMS type">{kindName(quote.sms_type)}</Fact>
        <Fact name="Total Contacts">{count(quote.total_contacts)}</Fact>
        {quote.total_suppressed > 0 && (
          <Fact name="Left out, as they opted out">{count(quote.total_suppressed)}</Fact>
        )}
        <Fact name="Networks">{networks}</Fact>
        {words.isCall ? (
          <>
            <Fact name="Length">{duration(quote.length_s ?? 0)}</Fact>
            <Fact name="Pulses a call, at most">{count(quote.pulses ?? 0)}</Fact>
          </>
        ) : (
          <Fact name="Pages, segments a message">
            {range(quote.pages)}, {range(quote.segments)}
          </Fact>
        )}
        {lines.length === 0 ? (
          <Fact name={`Price of a ${words.unit}`}>
            <UnitPrice value={quote.unit_price} currency={currency} />
          </Fact>
        ) : (
          <Below name="Price of a page, by destination">
            <RateLines lines={lines} currency={currency} />
          </Below>
        )}
        <Fact name={words.isCall ? "Total charge, at most" : "Total charge"} strong>
          <WholeMoney value={quote.total_charges} currency={currency} least={5} />
        </Fact>
        <Fact name="Balance after">
          <WholeMoney value={quote.balance_after} currency={currency} />
        </Fact>
        <Fact name="This price holds until">
          <DateTime value={quote.expires_at} />
        </Fact>
      </Facts>
    </>
  );
}
