// What the forms of this feature show alike: heading, warnings, the parts in their places, payment and time, the button,
// and the last look before anything is charged.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { FormProvider } from "react-hook-form";
import { usePhone } from "../../design/FilterSheet";
import { PageHeader } from "../../design/PageHeader";
import { Payment } from "../../design/Payment";
import type { PaymentMethod, UnitPrices } from "../../design/unitPrice";
import { type Audience, INACTIVE } from "./audience";
import { BeginWith } from "./BeginWith";
import type { FilledForm } from "./draft";
import { UNCOUNTED } from "./estimate";
import { FirstChoice } from "./FirstChoice";
import { DraftNotices, DraftSaving } from "./KeptDraft";
import { Price } from "./Price";
import { PurposeChoice } from "./PurposeChoice";
import type { QuoteDialogProps } from "./QuoteDialog";
import { Restored } from "./Restored";
import { Schedule } from "./Schedule";
import { Section } from "./Section";
import { SendBar } from "./SendBar";
import type { Composer } from "./useComposer";

interface Props<D extends Audience> {
  composer: Composer<D>;
  title: string;
  text: string;
  /** What it sends, a `sms_type`. */
  kind: string;
  /** The form's name, for screen readers. */
  label: string;
  /** Shown above the form. */
  above?: ReactNode;
  prices: UnitPrices | undefined;
  pricesFailure: unknown;
  /** What the prices are of, such as `page`. */
  unit: string;
  /** What the button says. */
  submit: string;
  /** What it costs by what the page knows, in micro-units; null while it knows too little. */
  estimate: bigint | null;
  /** What is read at the price while a quote is awaited, and otherwise. */
  asking: string;
  hint: ReactNode;
  /** Of how many it is, in words; and why no price comes, where none does. Read in a phone's bar. */
  forWhom: string;
  unpriced?: string | null;
  /** Below the button. */
  beside?: ReactNode;
  /** Above the price, in the column that stays in sight. */
  preview?: ReactNode;
  confirmation: (props: QuoteDialogProps) => ReactNode;
  /** The fields of a campaign that is copied. */
  fieldsOf: (form: FilledForm) => Partial<D>;
  children: ReactNode;
}

export function ComposeForm<D extends Audience & { payment_method: "" | PaymentMethod }>(props: Props<D>) {
  const { composer } = props;
  const { form, active, submission, refused, returned, send, submit, startOver } = composer;
  const phone = usePhone();
  return (
    <FormProvider {...form}>
      <PageHeader title={props.title} text={props.text} />
      {!active && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 3 }}>
          {INACTIVE}
        </Alert>
      )}
      <BeginWith composer={composer} fieldsOf={props.fieldsOf} />
      {returned && <Restored onStartOver={() => startOver()} />}
      <DraftNotices kept={composer.kept} />
      {props.above}
      <Box
        component="form"
        noValidate
        aria-label={props.label}
        onSubmit={submit}
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 340px" },
        }}
      >
        <Stack sx={{ gap: 3, minWidth: 0 }}>
          {props.children}
          <Section title="Purpose, payment and time">
            <Stack sx={{ gap: 2.5 }}>
              <PurposeChoice />
              <Payment prices={props.prices} failure={props.pricesFailure} unit={props.unit} />
              <FirstChoice kind={props.kind} />
              <Schedule />
            </Stack>
          </Section>
        </Stack>
        <Stack
          sx={{
            gap: 3,
            minWidth: 0,
            position: { lg: "sticky" },
            top: { lg: 88 },
            // What a low window has no room for is scrolled to in it, outlines and all.
            maxHeight: { lg: "calc(100vh - 104px)" },
            overflowY: { lg: "auto" },
            p: { lg: 0.5 },
            m: { lg: -0.5 },
          }}
        >
          {props.preview}
          <Price
            method={composer.draft.payment_method}
            estimate={props.estimate}
            hint={props.hint}
            asking={submission.asking && props.asking}
            refused={refused}
            submit={props.submit}
            send={phone ? null : send}
          >
            {props.beside}
            <DraftSaving saving={composer.kept.saving} />
          </Price>
        </Stack>
        {phone && (
          <SendBar
            method={composer.draft.payment_method}
            estimate={props.estimate}
            of={composer.uncounted ? UNCOUNTED[composer.uncounted] : props.forWhom}
            unpriced={props.unpriced ?? null}
            asking={submission.asking}
            submit={props.submit}
            send={send}
            hidden={submission.quote !== null}
          />
        )}
      </Box>
      {props.confirmation({
        quote: submission.quote,
        busy: submission.confirming,
        problem: submission.problem,
        opener: send,
        onConfirm: submission.confirm,
        onClose: submission.cancel,
      })}
    </FormProvider>
  );
}
