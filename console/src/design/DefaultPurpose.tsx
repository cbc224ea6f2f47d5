// The choice of a purpose where there may be none: of the default of messages that do not say it themselves, or of a rate.
import type { TextFieldProps } from "@mui/material/TextField";
import { Choice } from "./Choice";
import { PURPOSES, type Purpose } from "./purpose";

interface Props extends Omit<TextFieldProps, "onChange" | "select"> {
  label: string;
  /** Empty for none. */
  value: Purpose | "";
  onChange: (value: Purpose | "") => void;
  /** What holds where none is chosen. */
  none: string;
}

export function DefaultPurpose({ value, onChange, none, helperText, ...rest }: Props) {
  return (
    <Choice
      {...rest}
      value={value}
      onChange={(next) => onChange(next as Purpose | "")}
      options={[
        ["", none],
        ...Object.entries(PURPOSES).map(([purpose, { name }]) => [purpose, name] as const),
      ]}
      helperText={helperText ?? (value ? PURPOSES[value].text : undefined)}
    />
  );
}
