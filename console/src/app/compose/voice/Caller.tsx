// The number that phones show: asked only where the customer has one to choose.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useController, useFormContext } from "react-hook-form";
import { Choice } from "../../../design/Choice";
import { formatPhone } from "../../../design/phone";
import { callerNumbersQuery } from "./calls";
import type { VoiceDraft } from "./draft";

const NAMES = { own_number: "Own number", virtual_number: "Virtual number" } as const;

export function Caller() {
  const { control } = useFormContext<VoiceDraft>();
  const { field, fieldState } = useController({ name: "caller", control });
  const numbers = useQuery(callerNumbersQuery()).data;
  const { value, onChange } = field;
  const gone =
    numbers !== undefined && value !== "" && !numbers.some((it) => `${it.field} ${it.number}` === value);
  useEffect(() => {
    // Kept from the last time, and no longer theirs.
    if (gone) onChange("");
  }, [gone, onChange]);
  if (!numbers || numbers.length === 0) return null;
  return (
    <Choice
      label="Calls come from"
      value={gone ? "" : value}
      options={[
        ["", "The platform's number"],
        ...numbers.map(
          (it) => [`${it.field} ${it.number}`, `${NAMES[it.field]} ${formatPhone(it.number)}`] as const,
        ),
      ]}
      onChange={onChange}
      inputRef={field.ref}
      error={fieldState.invalid}
      helperText={fieldState.error?.message ?? "What phones show, and what a pulse costs in ESPEES."}
      sx={{ maxWidth: 360 }}
    />
  );
}
