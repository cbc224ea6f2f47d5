// What it is for: nothing is sent where it is left to the sender and the account.
import { useController, useFormContext } from "react-hook-form";
import { DefaultPurpose } from "../../design/DefaultPurpose";
import { PURPOSES } from "../../design/purpose";
import type { Audience } from "./audience";

const AS_SET =
  "Where nothing is set these are alerts, which STOP does not end: choose Advertising for what is advertised.";

export function PurposeChoice() {
  const { control } = useFormContext<Audience>();
  const { field, fieldState } = useController({ name: "purpose", control });
  const { ref, value, ...rest } = field;
  return (
    <DefaultPurpose
      {...rest}
      inputRef={ref}
      label="What it is for"
      value={value}
      none="As set for the sender and the account"
      error={fieldState.error !== undefined}
      helperText={fieldState.error?.message ?? (value === "" ? AS_SET : PURPOSES[value].text)}
      sx={{ maxWidth: 480 }}
    />
  );
}
