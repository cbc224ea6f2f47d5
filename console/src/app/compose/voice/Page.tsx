// /dashboard/text-to-speech: say it or upload it, hear it, see the most it can cost, confirm, and watch the calls.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { own } from "../../../api/queries";
import { session, useSession } from "../../../api/session";
import { formatDateTime } from "../../../design/dateTime";
import { placeProblem } from "../../../design/form";
import { PageHeader } from "../../../design/PageHeader";
import { FormAlert } from "../../../design/states";
import { toast } from "../../../design/toasts";
import { INACTIVE } from "../audience";
import { charge } from "../cost";
import { Groups } from "../Groups";
import { identity } from "../merge";
import { Payment } from "../Payment";
import { count, Recipients } from "../Recipients";
import { Restored } from "../Restored";
import { Schedule } from "../Schedule";
import { Section } from "../Section";
import { useRecipients } from "../useRecipients";
import { useSubmission } from "../useSubmission";
import { Caller } from "./Caller";
import { VoiceConfirmation } from "./Confirmation";
import { confirm, pulsePricesQuery, quote, recordingsKey } from "./calls";
import { EMPTY, errorsOf, stored, type VoiceDraft, visibleFields } from "./draft";
import { Script } from "./Script";

/** The daemon's names for fields that have other names here. */
const NAMES = {
  contacts: "recipients",
  file: "recipients",
  column: "recipients",
  startTime: "times",
  time: "times",
  own_number: "caller",
  virtual_number: "caller",
  senderid: "caller",
} as const;

/** What is to be said, and to whom. */
interface Form {
  draft: VoiceDraft;
  files: readonly File[];
  /** Columns of the files that are read as numbers. */
  columns: readonly string[];
}

export default function VoicePage() {
  const active = useSession()?.user.status === "active";
  const form = useForm<VoiceDraft>({ defaultValues: useMemo(stored.load, []) });
  const { control, handleSubmit, setError, clearErrors, reset } = form;
  const draft = useWatch({ control }) as VoiceDraft;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [refused, setRefused] = useState<string | null>(null);
  const [returned, setReturned] = useState(session.outlived);
  const send = useRef<HTMLButtonElement>(null);
  const recipients = useRecipients(draft.recipients, draft.groups);
  const files = recipients.attached.map((it) => it.file);
  const prices = useQuery(pulsePricesQuery(draft.caller));

  useEffect(() => stored.save(draft), [draft]);

  const submission = useSubmission({
    identityOf: ({ draft, files, columns }: Form) =>
      JSON.stringify([
        draft,
        draft.audioFile && identity(draft.audioFile),
        files.map((it) => identity(it)),
        columns,
      ]),
    quote: ({ draft, files, columns }: Form, key) => quote(draft, files, columns, key),
    confirm,
    onQuoted: (offer) => {
      recipients.seeQuote(offer);
      // An MP3 is kept from then on.
      if (draft.type === "voice") void client.invalidateQueries({ queryKey: recordingsKey() });
    },
    onRefused: (problem) => {
      const shown = visibleFields(draft);
      const names = Object.entries(NAMES).filter(([, name]) => shown.includes(name));
      setRefused(placeProblem(problem, setError, shown, Object.fromEntries(names)));
    },
    onSent: (confirmed) => {
      const at = confirmed.details.scheduled_at;
      // What is held says so in the daemon's words; otherwise the time is the reader's.
      if (confirmed.campaigns.some((it) => it.held)) toast.info(confirmed.message);
      else toast.success(at ? `Calls scheduled for ${formatDateTime(at)}` : "Voice SMS Sent");
      stored.clear();
      stored.save({ ...EMPTY, ...choicesOf(draft) });
      void client.invalidateQueries({ queryKey: own("balances") });
      void client.invalidateQueries({ queryKey: own("last-sent") });
      void navigate("/dashboard/voice-reports");
    },
  });

  const submit = (values: VoiceDraft) => {
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

  const price = draft.payment_method ? (prices.data?.[draft.payment_method] ?? null) : null;
  return (
    <FormProvider {...form}>
      <PageHeader
        title="Voice Message"
        text="Each number is called and hears it. See the most it can cost first: calls that are not answered cost nothing."
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
      <Box
        component="form"
        noValidate
        aria-label="Calls"
        onSubmit={handleSubmit(submit)}
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          // Read and tabbed in this order on a phone, and row by row where there is room for two columns.
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 340px" },
          gridTemplateAreas: {
            xs: '"to" "groups" "message" "pay"',
            lg: '"to groups" "message groups" "pay groups"',
          },
        }}
      >
        <Section title="To" area="to">
          <Stack sx={{ gap: 2.5 }}>
            <Recipients
              attached={recipients.attached}
              understood={recipients.understood}
              checked={recipients.checked}
              checking={recipients.checking}
              onAdd={recipients.add}
              onRemove={recipients.remove}
              columns={recipients.columnsSeen}
              onColumns={recipients.choose}
            />
            <Caller />
          </Stack>
        </Section>
        <Groups />
        <Section title="What is said" area="message">
          <Script />
        </Section>
        <Section title="Payment and time" area="pay">
          <Stack sx={{ gap: 2.5 }}>
            <Payment prices={prices.data} failure={prices.error} unit="pulse" />
            <Schedule />
            <div>
              <FormAlert text={refused} />
              <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
                <Button ref={send} type="submit" variant="contained" size="large" loading={submission.asking}>
                  {draft.later ? "Schedule calls" : "Send voice message"}
                </Button>
                <Typography
                  variant="body2"
                  color="textSecondary"
                  sx={{ flex: "1 1 240px" }}
                  aria-live="polite"
                >
                  {submission.asking && "Reading the recipients and measuring what is said."}
                  {!submission.asking && recipients.total > 0 && (
                    <>
                      {count(recipients.total, "contact")}
                      {price !== null && draft.payment_method && (
                        <> at {charge(price, draft.payment_method)} a pulse</>
                      )}
                      . How many pulses a call takes comes next, with the price.
                    </>
                  )}
                </Typography>
              </Box>
            </div>
          </Stack>
        </Section>
      </Box>
      <VoiceConfirmation
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

/** What usually stays the same from one send to the next. */
function choicesOf({ type, ttsVoice, caller, payment_method }: VoiceDraft): Partial<VoiceDraft> {
  return { type, ttsVoice, caller, payment_method };
}
