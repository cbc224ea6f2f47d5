// A form of react-admin in a card, alone on a page or among others. Refusals land at their fields.
import ArrowBack from "@mui/icons-material/ArrowBack";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { type ReactNode, useContext } from "react";
import { EditContext, Form, type RaRecord, useSaveContext } from "react-admin";
import { useFormState } from "react-hook-form";
import { Link } from "react-router-dom";
import { PageHeader } from "../../design/PageHeader";
import { PageSkeleton } from "../../design/states";

interface CardProps {
  /** What the button says. */
  save: string;
  title?: string;
  record?: RaRecord;
  /** Whether what was typed stays when the record is read anew: for pages that are left after saving. */
  keepsTyped?: boolean;
  children: ReactNode;
}

// An object of its own for each page would reset the form at each rendering.
const KEEP_TYPED = { keepDirtyValues: true };

/** In react-admin's `CreateBase` or `EditBase`. */
export function FormCard({ save, title, record, keepsTyped, children }: CardProps) {
  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 760, mb: 2 }}>
      {title && (
        <Typography variant="h2" sx={{ mb: 2 }}>
          {title}
        </Typography>
      )}
      <Form
        noValidate
        warnWhenUnsavedChanges
        record={record}
        resetOptions={keepsTyped ? KEEP_TYPED : undefined}
      >
        <Stack sx={{ gap: 1, alignItems: "flex-start" }}>
          {children}
          <Save label={save} />
        </Stack>
      </Form>
    </Card>
  );
}

interface PageProps extends CardProps {
  title: string;
  text?: ReactNode;
  back?: { to: string; label: string };
}

export function FormPage({ title, text, save, back, children }: PageProps) {
  // A form that creates has nothing to wait for.
  const waits = useContext(EditContext)?.isPending ?? false;
  return (
    <>
      <PageHeader
        title={title}
        text={text}
        actions={
          back && (
            <Button component={Link} to={back.to} color="inherit" startIcon={<ArrowBack />}>
              {back.label}
            </Button>
          )
        }
      />
      {waits ? (
        <PageSkeleton />
      ) : (
        // react-admin shows the row of the list first and reads the record behind it.
        <FormCard save={save} keepsTyped>
          {children}
        </FormCard>
      )}
    </>
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
