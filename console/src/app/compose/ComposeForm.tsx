// What the forms of this feature show alike: heading, warnings, the parts in their places, payment and time, the button,
// and the last look before anything is charged.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { FormProvider } from "react-hook-form";
import { PageHeader } from "../../design/PageHeader";
import { Payment } from "../../design/Payment";
import { FormAlert } from "../../design/states";
import type { UnitPrices } from "../../design/unitPrice";
import { type Audience, INACTIVE } from "./audience";
import { BeginWith } from "./BeginWith";
import type { FilledForm } from "./draft";
import { DraftNotices, DraftSaving } from "./KeptDraft";
import type { QuoteDialogProps } from "./QuoteDialog";
import { Restored } from "./Restored";
import { Schedule } from "./Schedule";
import { Section } from "./Section";
import type { Composer } from "./useComposer";

interface Props<D extends Audience> {
  composer: Composer<D>;
  title: string;
  text: string;
  /** The form's name, for screen readers. */
  label: string;
  /** Where the parts are in the page's grid: on a phone, and where there is room for two columns. */
  areas: { xs: string; lg: string };
  /** How high its rows are where there are two columns, unless each is as high as what it holds. */
  rows?: string;
  /** Shown above the form. */
  above?: ReactNode;
  prices: UnitPrices | undefined;
  pricesFailure: unknown;
  /** What the prices are of, such as `page`. */
  unit: string;
  /** What the button says. */
  submit: string;
  /** What is read beside it while a quote is awaited, and otherwise. */
  asking: string;
  hint: ReactNode;
  /** Beside the button. */
  beside?: ReactNode;
  confirmation: (props: QuoteDialogProps) => ReactNode;
  /** The fields of a campaign that is copied. */
  fieldsOf: (form: FilledForm) => Partial<D>;
  children: ReactNode;
}

export function ComposeForm<D extends Audience>(props: Props<D>) {
  const { composer } = props;
  const { form, active, submission, refused, returned, send, submit, startOver } = composer;
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
          // Read and tabbed in this order on a phone, and row by row where there is room for two columns.
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 340px" },
          gridTemplateAreas: props.areas,
          gridTemplateRows: { lg: props.rows },
        }}
      >
        {props.children}
        <Section title="Payment and time" area="pay">
          <Stack sx={{ gap: 2.5 }}>
            <Payment prices={props.prices} failure={props.pricesFailure} unit={props.unit} />
            <Schedule />
            <div>
              <FormAlert text={refused} />
              <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
                <Button ref={send} type="submit" variant="contained" size="large" loading={submission.asking}>
                  {props.submit}
                </Button>
                {props.beside}
                <Typography
                  variant="body2"
                  color="textSecondary"
                  sx={{ flex: "1 1 240px" }}
                  aria-live="polite"
                >
                  {submission.asking ? props.asking : props.hint}
                </Typography>
              </Box>
              <DraftSaving saving={composer.kept.saving} />
            </div>
          </Stack>
        </Section>
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
