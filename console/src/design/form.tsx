// react-hook-form, MUI's fields and the daemon's problems, wired once. A form validates with zod in the
// specification's words; whatever the daemon says of a field lands at that field.
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import {
  type Control,
  type FieldPath,
  type FieldValues,
  type UseFormSetError,
  useController,
} from "react-hook-form";
import { z } from "zod";
import { ApiProblem, messageOf } from "../api/problem";

// zod compiles its checks where it may, and asks by trying: our policy forbids it, and the browser would complain.
z.config({ jitless: true });

type FormFieldProps<T extends FieldValues> = Omit<TextFieldProps, "name" | "defaultValue"> & {
  name: FieldPath<T>;
  control: Control<T>;
};

export function FormField<T extends FieldValues>({ name, control, helperText, ...rest }: FormFieldProps<T>) {
  const { field, fieldState } = useController({ name, control });
  return (
    <TextField
      {...rest}
      {...field}
      value={field.value ?? ""}
      inputRef={field.ref}
      ref={undefined}
      error={fieldState.invalid}
      helperText={fieldState.error?.message ?? helperText}
    />
  );
}

/**
 * Puts a refusal's field messages at the fields of the form, by the daemon's names or by `names` where they differ,
 * and answers what belongs to no field: show it beside the form or as a toast. Null where the fields say it all.
 */
export function placeProblem<T extends FieldValues>(
  thrown: unknown,
  setError: UseFormSetError<T>,
  fields: readonly FieldPath<T>[],
  names: Record<string, FieldPath<T>> = {},
): string | null {
  if (!(thrown instanceof ApiProblem)) return messageOf(thrown);
  let placed = false;
  for (const { field, message } of thrown.errors) {
    const name = names[field] ?? fields.find((it) => it === field);
    if (!name) continue;
    setError(name, { message }, { shouldFocus: !placed });
    placed = true;
  }
  return placed ? null : thrown.message;
}
