// /dashboard/compose-sms: write, see the price, confirm, watch it go.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { FormProvider, useForm, useFormContext, useWatch } from "react-hook-form";
import { Link as To } from "react-router-dom";
import { own, smsPricesQuery } from "../../api/queries";
import { session, useSession } from "../../api/session";
import { formatDateTime } from "../../design/dateTime";
import { FormField, placeProblem } from "../../design/form";
import { PageHeader } from "../../design/PageHeader";
import { FormAlert } from "../../design/states";
import { toast, useFailure } from "../../design/toasts";
import { INACTIVE } from "./audience";
import { Confirmation } from "./Confirmation";
import { type Confirmed, confirm, quote, sendersQuery } from "./calls";
import { measureText, measureVcard, measureWapPush } from "./content/measure";
import { fieldsOf } from "./content/template";
import { charge, pagePrices } from "./cost";
import {
  DEFAULT_SENDER,
  type Draft,
  EMPTY,
  errorsOf,
  SENDING_FAILED,
  stored,
  tellsFailure,
  visibleFields,
} from "./draft";
import { Groups } from "./Groups";
import { Message } from "./Message";
import { identity } from "./merge";
import { Payment } from "./Payment";
import { Preview } from "./Preview";
import { count, Recipients } from "./Recipients";
import { Restored } from "./Restored";
import { Schedule } from "./Schedule";
import { Section } from "./Section";
import { SendProgress } from "./SendProgress";
import { useRecipients } from "./useRecipients";
import { useSubmission } from "./useSubmission";

/** The daemon's names for fields that have other names here. */
const NAMES = {
  contacts: "recipients",
  file: "recipients",
  column: "recipients",
  msg: "message",
  time: "times",
} as const;

/** What is to be sent. */
interface Form {
  draft: Draft;
  files: readonly File[];
  /** Columns of the files that are read as numbers. */
  columns: readonly string[];
}

export default function ComposePage() {
  const active = useSession()?.user.status === "active";
  const form = useForm<Draft>({ defaultValues: useMemo(stored.load, []) });
  const { control, handleSubmit, setError, clearErrors, reset } = form;
  const draft = useWatch({ control }) as Draft;
  const client = useQueryClient();
  const [sent, setSent] = useState<Confirmed | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [shownAt, setShownAt] = useState(0);
  const [returned, setReturned] = useState(session.outlived);
  const send = useRef<HTMLButtonElement>(null);
  const recipients = useRecipients(draft.recipients, draft.groups);
  const files = recipients.attached.map((it) => it.file);

  useEffect(() => stored.save(draft), [draft]);

  const submission = useSubmission({
    identityOf: ({ draft, files, columns }: Form) =>
      JSON.stringify([draft, files.map((it) => identity(it)), columns]),
    quote: ({ draft, files, columns }: Form, key) => quote(draft, files, columns, key),
    confirm,
    failure: SENDING_FAILED,
    onQuoted: recipients.seeQuote,
    onRefused: (problem) => {
      if (tellsFailure(draft, problem)) toast.error(SENDING_FAILED);
      const shown = visibleFields(draft);
      const names = Object.entries(NAMES).filter(([, name]) => shown.includes(name));
      setRefused(placeProblem(problem, setError, shown, Object.fromEntries(names)));
    },
    onSent: (confirmed) => {
      const at = confirmed.details.scheduled_at;
      const held = confirmed.campaigns.some((it) => it.held);
      // A send that is held says so in the daemon's words; otherwise the time is the reader's.
      if (held) toast.info(confirmed.message);
      else toast.success(at ? `SMS scheduled for ${formatDateTime(at)}` : "SMS Sent");
      setSent(confirmed);
      // Who sends and what pays usually stay the same.
      reset({ ...EMPTY, senderid: draft.senderid, payment_method: draft.payment_method });
      stored.clear();
      setReturned(false);
      recipients.clear();
      void client.invalidateQueries({ queryKey: own("balances") });
      void client.invalidateQueries({ queryKey: own("last-sent") });
    },
  });

  const submit = (values: Draft) => {
    // A group that was ticked yesterday may be gone.
    const written = { ...values, groups: recipients.groups };
    clearErrors();
    setRefused(null);
    const faults = errorsOf(written, active, files.length);
    const [first] = faults;
    if (!first) return submission.ask({ draft: written, files, columns: recipients.numberColumns });
    toast.error(first.text);
    for (const { field, text } of faults) {
      if (field) setError(field, { message: text }, { shouldFocus: field === first.field });
    }
  };

  const at = Math.min(shownAt, Math.max(0, recipients.preview.length - 1));
  const values = recipients.preview[at]?.values;
  const isText = draft.kind !== "wap-push" && draft.kind !== "vcard";
  const message = isText ? measureText(draft.kind, draft.message, values) : null;
  const measured =
    message ??
    (draft.kind === "vcard" ? measureVcard(draft) : measureWapPush(draft.wap_title, draft.wap_url));
  const varies =
    draft.kind !== "vcard" &&
    fieldsOf(isText ? draft.message : `${draft.wap_title} ${draft.wap_url}`).length > 0;
  const asked = useQuery(smsPricesQuery());
  const prices = asked.data && pagePrices(asked.data);
  const unit = draft.payment_method ? (prices?.[draft.payment_method] ?? null) : null;
  const priceOf = (pages: number) =>
    unit !== null && draft.payment_method ? charge(unit * BigInt(pages), draft.payment_method) : null;
  const estimate =
    recipients.total > 0 && !measured.tooLong ? priceOf(measured.pages * recipients.total) : null;

  return (
    <FormProvider {...form}>
      <PageHeader
        title="SMS Campaign"
        text="Write it and see the exact price. Nothing is charged before you confirm."
      />
      {!active && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 3 }}>
          {INACTIVE}
        </Alert>
      )}
      {returned && (
        <Restored
          onStartOver={() => {
            reset(EMPTY);
            stored.clear();
            setReturned(false);
          }}
        />
      )}
      {sent && <SendProgress key={sent.details.id} confirmed={sent} onClose={() => setSent(null)} />}
      <Box
        component="form"
        noValidate
        aria-label="Campaign"
        onSubmit={handleSubmit(submit)}
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          // Read and tabbed in this order on a phone, and row by row where there is room for two columns.
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 340px" },
          gridTemplateAreas: {
            xs: '"to" "groups" "message" "preview" "pay"',
            lg: '"to groups" "message preview" "pay preview"',
          },
        }}
      >
        <Section title="From and to" area="to">
          <Stack sx={{ gap: 2.5 }}>
            <SenderSelect />
            <Recipients
              attached={recipients.attached}
              understood={recipients.understood}
              checked={recipients.checked}
              checking={recipients.checking}
              onAdd={recipients.add}
              onRemove={recipients.remove}
              columnsHint="The columns of a CSV can stand in the message."
              columns={recipients.columnsSeen}
              onColumns={recipients.choose}
            />
          </Stack>
        </Section>
        <Groups />
        <Section title="Your message" area="message">
          <Message
            kind={draft.kind}
            measured={measured}
            sent={message}
            columns={draft.kind === "vcard" ? [] : recipients.columns}
            varies={varies}
            priceOf={priceOf}
          />
        </Section>
        <Preview draft={draft} sent={message} recipients={recipients.preview} at={at} onMove={setShownAt} />
        <Section title="Payment and time" area="pay">
          <Stack sx={{ gap: 2.5 }}>
            <Payment prices={prices} failure={asked.error} unit="page" />
            <Schedule />
            <div>
              <FormAlert text={refused} />
              <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
                <Button ref={send} type="submit" variant="contained" size="large" loading={submission.asking}>
                  {draft.later ? "Schedule message" : "Send message"}
                </Button>
                <Typography
                  variant="body2"
                  color="textSecondary"
                  sx={{ flex: "1 1 240px" }}
                  aria-live="polite"
                >
                  {submission.asking && "Reading the recipients and adding up the price."}
                  {!submission.asking && estimate && (
                    <>
                      About {estimate} for {count(recipients.total, "contact")}
                      {files.length > 0 && !recipients.checked && " and those of the files beside"}. The exact
                      price comes next.
                    </>
                  )}
                  {!submission.asking && !estimate && files.length > 0 && (
                    <>Files are counted when you go on: then comes the exact price.</>
                  )}
                </Typography>
              </Box>
            </div>
          </Stack>
        </Section>
      </Box>
      <Confirmation
        quote={submission.quote}
        busy={submission.confirming}
        problem={submission.problem}
        opener={send}
        onConfirm={submission.confirm}
        onClose={submission.cancel}
      />
    </FormProvider>
  );
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
