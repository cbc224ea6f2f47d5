// A page that is one form of react-admin: heading, card, inputs, save. Refusals land at their fields.
import ArrowBack from "@mui/icons-material/ArrowBack";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import { type ReactNode, useContext } from "react";
import { EditContext, Form, useSaveContext } from "react-admin";
import { useFormState } from "react-hook-form";
import { Link } from "react-router-dom";
import { PageHeader } from "../../design/PageHeader";
import { PageSkeleton } from "../../design/states";

interface Props {
  title: string;
  text?: ReactNode;
  /** What the button says. */
  save: string;
  back?: { to: string; label: string };
  children: ReactNode;
}

export function FormPage({ title, text, save, back, children }: Props) {
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
        <Card sx={{ p: { xs: 2, sm: 3 }, maxWidth: 760 }}>
          <Form noValidate warnWhenUnsavedChanges>
            <Stack sx={{ gap: 1, alignItems: "flex-start" }}>
              {children}
              <Save label={save} />
            </Stack>
          </Form>
        </Card>
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
