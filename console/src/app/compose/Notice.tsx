// What a person has to know or to choose before going on, above the form.
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";

interface Props {
  severity: "info" | "warning" | "error";
  text: string;
  actions: [string, () => void][];
}

export function Notice({ severity, text, actions }: Props) {
  return (
    <Alert severity={severity} variant="outlined" sx={{ mb: 3 }}>
      {text}
      <Stack sx={{ flexDirection: "row", flexWrap: "wrap", gap: 1, mt: 1 }}>
        {actions.map(([label, act]) => (
          <Button key={label} size="small" variant="outlined" color="inherit" onClick={act}>
            {label}
          </Button>
        ))}
      </Stack>
    </Alert>
  );
}
