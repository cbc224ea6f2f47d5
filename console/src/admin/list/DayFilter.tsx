// A filter by day, written as days are shown everywhere.
import { useInput } from "react-admin";
import { DateInput } from "../../design/DateInput";

export interface DayFilterProps {
  source: string;
  label: string;
  /** For react-admin's filter form, which reads it. */
  alwaysOn?: boolean;
}

export function DayFilter({ source, label }: DayFilterProps) {
  const { field } = useInput({ source });
  return <DateInput label={label} value={field.value ?? ""} onChange={field.onChange} sx={{ width: 170 }} />;
}
