// The number that phones show: chosen where the customer has one of their own, and the way to get one.
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useController, useFormContext } from "react-hook-form";
import { Link as To } from "react-router-dom";
import { Choice } from "../../../design/Choice";
import { formatPhone } from "../../../design/phone";
import { callerNumbersQuery } from "./calls";
import type { VoiceDraft } from "./draft";

const NAMES = { own_number: "your own", virtual_number: "virtual" } as const;

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
  if (!numbers) return null;
  if (numbers.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary">
        Phones show the platform's number. <OtherNumbers />
      </Typography>
    );
  }
  return (
    <div>
      <Choice
        label="Calls come from"
        value={gone ? "" : value}
        options={[
          ["", "The platform's number"],
          ...numbers.map(
            (it) => [`${it.field} ${it.number}`, `${formatPhone(it.number)}, ${NAMES[it.field]}`] as const,
          ),
        ]}
        onChange={onChange}
        inputRef={field.ref}
        error={fieldState.invalid}
        helperText={
          fieldState.error?.message ??
          "The number that phones show. A pulse has its own price in ESPEES for each kind."
        }
        sx={{ maxWidth: 360 }}
      />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
        <OtherNumbers />
      </Typography>
    </div>
  );
}

function OtherNumbers() {
  return (
    <>
      Call from another number:{" "}
      <Link component={To} to="/dashboard/own-numbers" underline="always">
        verify a phone of your own
      </Link>{" "}
      or{" "}
      <Link component={To} to="/dashboard/virtual-numbers" underline="always">
        request a virtual number
      </Link>
      .
    </>
  );
}
