// A setting is one record of its resource: read, changed, read again. A page may hold several.
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import { EditBase, type RaRecord, useEditContext, useRefresh, useTranslate } from "react-admin";
import { messageOf } from "../../api/problem";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState, FormAlert, PageSkeleton } from "../../design/states";
import { toast, useToasts } from "../../design/toasts";
import { DateTime } from "../../design/values";
import type { Refusal } from "../resource";
import { type Ask, FormCard } from "./FormPage";
import { formToasts } from "./toasts";

/** Every setting's record has this id. */
export const SETTING_ID = "value";

interface SettingProps {
  resource: string;
  /** What stands over the form, where a page has several. */
  title?: string;
  save: string;
  /** The specification's words for a failure to read and to change. */
  failedToGet: string;
  failedToSet: string;
  /** Said under the form of what is set now. */
  now?: (record: RaRecord) => ReactNode;
  /** What is asked before a change is saved. */
  ask?: (values: Record<string, unknown>, record: RaRecord) => ReturnType<Ask>;
  children: ReactNode;
}

export function Setting(props: SettingProps) {
  const refresh = useRefresh();
  const translate = useTranslate();
  const toasts = useToasts();
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <EditBase
      resource={props.resource}
      id={SETTING_ID}
      redirect={false}
      mutationMode="pessimistic"
      queryOptions={{
        onError: () => toast.error(props.failedToGet),
      }}
      mutationOptions={{
        onMutate: () => {
          toasts.begin();
          formToasts.begin();
        },
        onSuccess: () => {
          toasts.success(translate(`resources.${props.resource}.notifications.updated`));
          setRefused(null);
          refresh();
        },
        onError: (problem: unknown) => {
          // The specification's words as a toast; the daemon's reason is at the field, or beside the form.
          toasts.error(props.failedToSet);
          setRefused((problem as Partial<Refusal>).body?.errors ? null : messageOf(problem));
        },
      }}
    >
      <SettingForm {...props} refused={refused} />
    </EditBase>
  );
}

function SettingForm(props: SettingProps & { refused: string | null }) {
  const { title, save, now, ask, refused, children } = props;
  const { record, isPending, error, refetch } = useEditContext();
  // What is being written stays where the answer does not come again.
  if (error && !record)
    return (
      <Card sx={{ maxWidth: 760 }}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (isPending || !record) return <PageSkeleton />;
  return (
    <FormCard save={save} title={title} record={record} ask={ask && ((values) => ask(values, record))}>
      <FormAlert text={refused} />
      {children}
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {now?.(record) ??
          (record.updated_at ? (
            <>
              Last changed <DateTime value={record.updated_at} />.
            </>
          ) : (
            "Not set yet."
          ))}
      </Typography>
    </FormCard>
  );
}

interface PageProps {
  title: string;
  text: ReactNode;
  children: ReactNode;
}

export function SettingPage({ title, text, children }: PageProps) {
  return (
    <>
      <PageHeader title={title} text={text} />
      {children}
    </>
  );
}

/** A key is shown by its last four characters only; a new one takes its place. */
export function storedKey(record: RaRecord): ReactNode {
  if (!record.kept) return "Not set yet.";
  return (
    <>
      Set: {record.kept}, last changed <DateTime value={record.updated_at} />. A new one takes its place at
      once.
    </>
  );
}
