// One of a few: the browser's own select, which every phone and screen reader knows.
import TextField, { type TextFieldProps } from "@mui/material/TextField";

interface Props extends Omit<TextFieldProps, "onChange" | "select"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Value and words. */
  options: readonly (readonly [value: string, words: string])[];
}

export function Choice({ options, onChange, ...rest }: Props) {
  return (
    <TextField
      {...rest}
      select
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </TextField>
  );
}
