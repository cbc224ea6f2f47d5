// /dashboard/compose-sms: write, see the price, confirm, watch it go.
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { Link as To } from "react-router-dom";
import type { Confirmed } from "../../api/confirmQuote";
import { own, smsPricesQuery } from "../../api/queries";
import { needsAdmin } from "../../design/campaign/held";
import { formatDateTime } from "../../design/dateTime";
import { FormField } from "../../design/form";
import { useFailure } from "../../design/toasts";
import { CURRENCY, charge, type PaymentMethod, pagePrices, pagePricesAbroad } from "../../design/unitPrice";
import { runsOf } from "./audience";
import { ComposeForm } from "./ComposeForm";
import { Confirmation } from "./Confirmation";
import { quote, sendersQuery } from "./calls";
import { measureText, measureVcard, measureWapPush } from "./content/measure";
import { fieldsOf as mergeFieldsOf } from "./content/template";
import {
  DEFAULT_SENDER,
  type Draft,
  EMPTY,
  errorsOf,
  fieldsOf,
  SENDING_FAILED,
  stored,
  tellsFailure,
  visibleFields,
} from "./draft";
import {
  allLeftOut,
  estimateOf,
  estimateOfWhat,
  forWhom,
  pricedBy,
  UNCOUNTED,
  type Uncounted,
} from "./estimate";
import { Message } from "./Message";
import { Preview } from "./Preview";
import { Recipients } from "./Recipients";
import { Section } from "./Section";
import { SendProgress } from "./SendProgress";
import { singleContent } from "./single";
import { TestToMe } from "./TestToMe";
import { useComposer } from "./useComposer";
import { isAbroad } from "./useRecipients";

const COMPOSING = {
  empty: EMPTY,
  stored,
  errorsOf,
  visibleFields,
  names: { msg: "message" },
  quote,
  byRate: true,
  failure: SENDING_FAILED,
  refusalOf: (draft: Draft, problem: unknown) => (tellsFailure(draft, problem) ? SENDING_FAILED : null),
} as const;

/** Any number that is abroad. */
const ABROAD = "1";

export default function ComposePage() {
  const client = useQueryClient();
  const [sent, setSent] = useState<Confirmed | null>(null);
  const [shownAt, setShownAt] = useState(0);
  const composer = useComposer<Draft>(COMPOSING, (confirmed, { senderid, payment_method }) => {
    const at = confirmed.details.scheduled_at;
    const held = confirmed.campaigns.some(needsAdmin);
    // A send that is held says so in the daemon's words; otherwise the time is the reader's.
    if (held) composer.toasts.info(confirmed.message);
    else composer.toasts.success(at ? `SMS scheduled for ${formatDateTime(at)}` : "SMS Sent");
    setSent(confirmed);
    // Who sends and what pays usually stay the same.
    composer.startOver({ senderid, payment_method });
    void client.invalidateQueries({ queryKey: own("balances") });
    void client.invalidateQueries({ queryKey: own("last-sent") });
  });
  const { draft, recipients } = composer;

  const at = Math.min(shownAt, Math.max(0, recipients.preview.length - 1));
  const values = recipients.preview[at]?.values;
  const isText = draft.kind !== "wap-push" && draft.kind !== "vcard";
  const message = isText ? measureText(draft.kind, draft.message, values) : null;
  const measured =
    message ??
    (draft.kind === "vcard" ? measureVcard(draft) : measureWapPush(draft.wap_title, draft.wap_url));
  const varies =
    draft.kind !== "vcard" &&
    mergeFieldsOf(isText ? draft.message : `${draft.wap_title} ${draft.wap_url}`).length > 0;
  const asked = useQuery(smsPricesQuery());
  const prices = asked.data && pagePrices(asked.data);
  const unit = draft.payment_method ? (prices?.[draft.payment_method] ?? null) : null;
  const { checked, hasRates } = recipients;
  // A daemon from before there were rates gives no lines.
  const lines = checked?.rates;
  const method = draft.payment_method;
  const priced = lines && method ? pricedBy(lines, CURRENCY[method]) : null;
  const priceOf = (pages: number) => {
    // Where prices differ by destination there is none before it is known to whom it goes.
    const span = priced?.span ?? (unit === null || hasRates ? null : ([unit, unit] as const));
    if (!span || !method) return null;
    const [least, most] = span.map((it) => charge(it * BigInt(pages), method));
    return least === most ? (least ?? null) : `${least} – ${most}`;
  };
  const runs = runsOf(draft);
  const isCounted = recipients.total > 0 && recipients.isCounted;
  const abroad = asked.data && pagePricesAbroad(asked.data);
  const unitAbroad = draft.payment_method ? (abroad?.[draft.payment_method] ?? null) : null;
  const lacksPrice = asked.data !== undefined && draft.payment_method !== "" && unit === null;
  // Without a balance it is not known yet who has a price.
  const sellsAbroad = !draft.payment_method || !asked.data || unitAbroad !== null;
  const leftOut = priced ? recipients.total - priced.contacts : sellsAbroad ? 0 : recipients.abroad;
  const isLeftOut = isCounted && !lacksPrice && leftOut > 0 && leftOut === recipients.total;
  const pages = measured.pages * runs;
  const isEstimated = isCounted && measured.pages > 0 && !measured.tooLong;
  const byRates = priced?.span ? priced.page * BigInt(pages) : null;
  const byPlace = estimateOf({ home: unit, abroad: unitAbroad }, recipients, pages);
  const estimate = isEstimated ? (priced ? byRates : byPlace) : null;
  // Nothing is sold from a balance that has no price at home.
  const priceTo = (number: string, method: PaymentMethod) => {
    const home = prices?.[method] ?? null;
    return home === null || !isAbroad(number) ? home : (abroad?.[method] ?? null);
  };
  const otherSells =
    lines?.some((it) => it.contacts > 0) ??
    (["espees", "paystack"] as const).some((it) => priceTo(ABROAD, it) !== null);
  const testMessage = () => {
    composer.toasts.begin();
    // All rules but those of recipients and times.
    const [first] = errorsOf({ ...draft, later: false }, composer.active, 1);
    if (first || !draft.payment_method) {
      composer.toasts.error(first?.text ?? "Payment method is required");
      if (first?.field) composer.form.setError(first.field, { message: first.text }, { shouldFocus: true });
      return null;
    }
    const { kind, senderid, purpose, payment_method } = draft;
    const content = singleContent(draft, message, values ?? {});
    const { wap_title = "", wap_url = "" } = content;
    const { pages } = kind === "wap-push" ? measureWapPush(wap_title, wap_url) : measured;
    const missing = message?.missing ?? [];
    return { sms_type: kind, senderid, purpose, payment_method, content, pages, missing };
  };
  const unpriced = measured.tooLong
    ? "Message too long"
    : isLeftOut
      ? "No price abroad"
      : lacksPrice
        ? "No price known"
        : null;
  return (
    <ComposeForm
      composer={composer}
      title="SMS Campaign"
      text="Write it and see the exact price. Nothing is charged before you confirm."
      kind={draft.kind}
      label="Campaign"
      above={sent && <SendProgress key={sent.details.id} confirmed={sent} onClose={() => setSent(null)} />}
      prices={prices}
      pricesFailure={asked.error}
      unit={
        hasRates
          ? "page in Nigeria; some destinations differ"
          : recipients.abroad > 0
            ? "page in Nigeria"
            : "page"
      }
      estimate={estimate}
      submit={draft.later ? "Schedule message" : "Send message"}
      asking="Reading the recipients and adding up the price."
      hint={
        estimate === null
          ? hintOf({
              uncounted: composer.uncounted,
              hasLists: recipients.attached.length + draft.audience.length > 0,
              tooLong: measured.tooLong,
              isPriced: !lacksPrice,
              leftOut: isLeftOut ? allLeftOut(recipients.total, otherSells, hasRates) : null,
            })
          : estimateOfWhat({
              ...recipients,
              unpriced: leftOut,
              runs,
              hasGroups: draft.groups.length > 0 && !checked && sellsAbroad,
            })
      }
      // Without an estimate it is of all of them.
      forWhom={forWhom({ ...recipients, unpriced: isLeftOut || lacksPrice ? 0 : leftOut, runs })}
      unpriced={unpriced}
      fieldsOf={fieldsOf}
      beside={<TestToMe message={testMessage} priceTo={priceTo} byRate={hasRates} />}
      preview={
        <Preview draft={draft} sent={message} recipients={recipients.preview} at={at} onMove={setShownAt} />
      }
      confirmation={(props) => <Confirmation {...props} />}
    >
      <Section title="From and to">
        <Stack sx={{ gap: 2.5 }}>
          <SenderSelect />
          <Recipients recipients={recipients} columnsHint="Use CSV columns to personalise the message." />
        </Stack>
      </Section>
      <Section title="Your message">
        <Message
          kind={draft.kind}
          measured={measured}
          sent={message}
          columns={draft.kind === "vcard" ? [] : recipients.columns}
          varies={varies}
          priceOf={priceOf}
          each={recipients.abroad > 0 && !priced ? "each in Nigeria" : "each"}
        />
      </Section>
    </ComposeForm>
  );
}

/** Why there is no estimate yet. */
function hintOf(known: {
  uncounted: Uncounted | null;
  /** Files or earlier lists are among the recipients. */
  hasLists: boolean;
  tooLong: boolean;
  isPriced: boolean;
  /** Of recipients who would all be left out. */
  leftOut: string | null;
}): string {
  if (known.tooLong) return "The message is too long to be sent.";
  if (known.leftOut) return known.leftOut;
  if (!known.isPriced) return "No price is known for this balance.";
  if (known.uncounted === "unusable")
    return "It is estimated here once there are recipients that can be used.";
  if (known.uncounted === "counting") return `${UNCOUNTED.counting}.`;
  if (known.uncounted === "later") {
    const what = known.hasLists ? "Files and lists" : "The recipients";
    return `${what} are counted when you go on: then comes the exact price.`;
  }
  return "It is estimated here once there are a message, recipients and a payment method.";
}

/** The specification's texts. */
const SENDERS_FAILED = "Failed to load sender IDs.";

function SenderSelect() {
  const { control } = useFormContext<Draft>();
  const { data, isError, error } = useQuery(sendersQuery());
  useFailure(error, SENDERS_FAILED);
  // All users' is offered whatever the list says.
  const senders = [DEFAULT_SENDER, ...(data ?? []).filter((it) => it !== DEFAULT_SENDER)];
  return (
    <div>
      <FormField name="senderid" control={control} label="Sender ID" select sx={{ maxWidth: 360 }}>
        {senders.map((sender) => (
          <MenuItem key={sender} value={sender}>
            {sender}
          </MenuItem>
        ))}
      </FormField>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
        {isError ? `${SENDERS_FAILED} ` : "Your own name as the sender is free: "}
        <Link component={To} to="/dashboard/request-sender-id" underline="always">
          request a sender ID
        </Link>
        .
      </Typography>
    </div>
  );
}
