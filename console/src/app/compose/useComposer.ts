// A form of this feature from its draft to its campaign: kept while it is written, checked, quoted, confirmed.
import { useEffect, useMemo, useRef, useState } from "react";
import { type DefaultValues, type Path, useForm, useWatch } from "react-hook-form";
import type { Confirmed } from "../../api/confirmQuote";
import { session, useSession } from "../../api/session";
import { placeProblem } from "../../design/form";
import { useToasts } from "../../design/toasts";
import { type Audience, isUnaddressed } from "./audience";
import type { Quote } from "./calls";
import { uncounted } from "./estimate";
import { FIRST_NAMES, inPlainWords } from "./first";
import { identity } from "./merge";
import type { Storage } from "./storage";
import { useKeptDraft } from "./useKeptDraft";
import { useRecipients } from "./useRecipients";
import { useSubmission } from "./useSubmission";

interface Fault<D> {
  field: keyof D | null;
  text: string;
}

interface Written<D> {
  draft: D;
  files: readonly File[];
  /** Columns of the files that are read as numbers. */
  columns: readonly string[];
}

interface Options<D> {
  empty: D;
  stored: Storage<D>;
  /** The rules that a draft breaks, one a field, in the order they are told. */
  errorsOf: (draft: D, active: boolean, files: number) => Fault<D>[];
  /** The fields that are on the page, and can show what is wrong with them. */
  visibleFields: (draft: D) => readonly (keyof D)[];
  /** The daemon's names for fields that have other names here, beside those of every form. */
  names: Record<string, keyof D>;
  quote: (draft: D, files: readonly File[], columns: readonly string[], key: string) => Promise<Quote>;
  /** Whether it has rates by destination, where any are set. */
  byRate?: boolean;
  /** What it is called when confirming fails; the daemon's words where it has no name. */
  failure?: string;
  onQuoted?: (draft: D) => void;
  /** What it is called when a quote is refused, where that is said beside the form's own words. */
  refusalOf?: (draft: D, problem: unknown) => string | null;
}

export type Composer<D extends Audience> = ReturnType<typeof useComposer<D>>;

export function useComposer<D extends Audience>(
  options: Options<D>,
  /** What was sent, by which draft. */
  onSent: (confirmed: Confirmed, draft: D) => void,
) {
  const { empty, stored } = options;
  const active = useSession()?.user.status === "active";
  const form = useForm<D>({ defaultValues: useMemo(stored.load, []) as DefaultValues<D> });
  const { control, setError, clearErrors, reset } = form;
  const draft = useWatch({ control }) as D;
  const [refused, setRefused] = useState<string | null>(null);
  const [returned, setReturned] = useState(session.outlived);
  const send = useRef<HTMLButtonElement>(null);
  const toasts = useToasts();
  const recipients = useRecipients(draft, options.byRate ?? false);
  const files = recipients.attached.map((it) => it.file);

  useEffect(() => stored.save(draft), [draft, stored]);
  const kept = useKeptDraft<D>({
    stored,
    draft,
    files,
    columns: recipients.numberColumns,
    active,
    show: (written) => reset(written),
    attach: recipients.replace,
  });

  const submission = useSubmission({
    identityOf: ({ draft, files, columns }: Written<D>) =>
      JSON.stringify([draft, files, columns], (_, value) =>
        value instanceof File ? identity(value) : value,
      ),
    quote: ({ draft, files, columns }: Written<D>, key) => options.quote(draft, files, columns, key),
    failure: options.failure,
    toasts,
    onQuoted: (offer) => {
      recipients.seeQuote(offer);
      options.onQuoted?.(draft);
    },
    onRefused: (thrown) => {
      const problem = inPlainWords(thrown);
      const refusal = options.refusalOf?.(draft, problem);
      if (refusal) toasts.error(refusal);
      const shown = options.visibleFields(draft) as readonly Path<D>[];
      const names = Object.entries({ ...NAMES, ...options.names }) as [string, Path<D>][];
      const known = Object.fromEntries(names.filter(([, name]) => shown.includes(name)));
      setRefused(placeProblem(problem, setError, shown, known));
    },
    onSent: (confirmed) => {
      kept.finish();
      onSent(confirmed, draft);
    },
  });

  const submit = (values: D) => {
    toasts.begin();
    clearErrors();
    setRefused(null);
    const faults = options.errorsOf(values, active, files.length);
    const [first] = faults;
    if (kept.unready) return void toasts.error(kept.unready);
    if (!first) return submission.ask({ draft: values, files, columns: recipients.numberColumns });
    toasts.error(first.text);
    for (const { field, text } of faults) {
      if (field) setError(field as Path<D>, { message: text }, { shouldFocus: field === first.field });
    }
  };

  return {
    form,
    draft,
    active,
    recipients,
    /** Why it is not known for how many it is; null where it is. */
    uncounted: uncounted(recipients, isUnaddressed(draft, files.length)),
    submission,
    /** The draft as the daemon keeps it. */
    kept,
    /** What was refused and belongs to no field. */
    refused,
    /** Whether the draft is from before the session ended. */
    returned,
    send,
    /** What is said of this form. */
    toasts,
    submit: form.handleSubmit(submit),
    /** Whether nothing is written here. */
    isBlank: stored.isBlank(draft) && files.length === 0,
    /** Begins a new form with these fields; what is written here stays as a draft. False where that cannot be kept. */
    begin: async (fields: Partial<D>) => {
      if (!(await kept.setAside())) return false;
      recipients.clear();
      reset({ ...stored.blankOf(draft), ...fields } as D);
      setReturned(false);
      return true;
    },
    /** Empties the form, but for these fields. */
    startOver: (choices: Partial<D> = {}) => {
      kept.finish();
      reset({ ...empty, ...choices } as D);
      recipients.clear();
      stored.clear();
      setReturned(false);
    },
  };
}

/** The daemon's names of fields that every form here has. */
const NAMES = {
  contacts: "recipients",
  file: "recipients",
  column: "recipients",
  audience: "recipients",
  time: "times",
  ...FIRST_NAMES,
} as const;
