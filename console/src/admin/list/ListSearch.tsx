// The search among a list's filters: react-admin's form asks for what is typed after a pause.
import Box from "@mui/material/Box";
import { useInput } from "react-admin";
import { SearchBox } from "../../design/SearchField";

interface Props {
  /** The filter's name in the API. */
  source: string;
  label: string;
  /** Read by the form around: it needs not be added first. */
  alwaysOn?: boolean;
}

export function ListSearch({ source, label }: Props) {
  const { field } = useInput({ source, defaultValue: "" });
  return (
    <Box sx={{ width: { xs: "calc(100vw - 66px)", sm: 340 }, maxWidth: "100%" }}>
      <SearchBox label={label} value={field.value ?? ""} onChange={field.onChange} />
    </Box>
  );
}
