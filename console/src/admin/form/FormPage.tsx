// A form of react-admin in a card, alone on a page or among others. Refusals land at their fields.
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { EditContext, Form, type RaRecord, useSaveContext } from "react-admin";
import { useFormState } from "react-hook-form";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { PageHeader } from "../../design/PageHeader";
import { PageSkeleton } from "../../design/states";

interface CardProps {
  /** What the button says. */
  save: string;
  title?: string;
  record?: RaRecord;
  /** What is asked before the values are saved; null saves them at once. */
  ask?: Ask;
  children: ReactNode;
}

/** A question in a dialog about values that are to be saved. */
export type Ask = (
  values: Record<string, unknown>,
) => { title: string; confirm: string; text: ReactNode } | null;

type Asked = NonNullable<ReturnType<Ask>> & { answer: (yes: boolean) => void };

/** In react-admin's `CreateBase` or `EditBase`. */
export function FormCard({ save, title, record, ask, children }: CardProps) {
  const saving = useSaveContext();
  const [asked, setAsked] = useState<Asked | null>(null);
  /** React-admin's own way to save, after a yes. */
  const askFirst = async (values: Record<string, unknown>) => {
    const content = ask?.(values) ?? null;
    if (content && !(await new Promise<boolean>((answer) => setAsked({ ...content, answer })))) return;
    return saving.save?.(values);
  };
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    setAsked(null);
  };
  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 760, mb: 2 }}>
      {title && (
        <Typography variant="h2" sx={{ mb: 2 }}>
          {title}
        </Typography>
      )}
      <Form noValidate warnWhenUnsavedChanges record={record} onSubmit={ask ? askFirst : undefined}>
        <Fields>
          {children}
          <Save label={save} />
        </Fields>
      </Form>
      <ConfirmDialog
        open={asked !== null}
        title={asked?.title ?? ""}
        confirm={asked?.confirm ?? ""}
        onConfirm={() => answer(true)}
        onClose={() => answer(false)}
      >
        {asked?.text}
      </ConfirmDialog>
    </Card>
  );
}

interface PageProps extends CardProps {
  title: string;
  text?: ReactNode;
  back?: { to: string; label: string };
}

export function FormPage({ title, text, save, back, children }: PageProps) {
  // react-admin shows the row of a list before it has read the record: what is typed into that would be lost. A form
  // that creates has nothing to wait for, and one that is shown stays.
  const edited = useContext(EditContext);
  const reads = edited ? edited.isPending || edited.isFetching : false;
  const [ready, setReady] = useState(!reads);
  if (!reads && !ready) setReady(true);
  return (
    <>
      <PageHeader title={title} text={text} back={back} />
      {ready ? <FormCard save={save}>{children}</FormCard> : <PageSkeleton />}
    </>
  );
}

/**
 * React-admin's form sets its fields to the record once more in an effect after it is drawn, and what was typed until then
 * would be lost without a word, and the old values saved. So nothing can be typed until then: the effects of what is in a
 * form run before its own, and what they change is drawn after both.
 */
function Fields({ children }: { children: ReactNode }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <Stack
      component="fieldset"
      role="presentation"
      disabled={!ready}
      sx={{ gap: 1, alignItems: "flex-start", border: 0, m: 0, p: 0, minWidth: 0 }}
    >
      {children}
    </Stack>
  );
}

function Save({ label }: { label: string }) {
  const { saving } = useSaveContext();
  const { isSubmitting } = useFormState();
  return (
    <Button type="submit" variant="contained" loading={Boolean(saving) || isSubmitting}>
      {label}
    </Button>
  );
}
