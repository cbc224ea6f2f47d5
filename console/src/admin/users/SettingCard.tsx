// A setting of one account: its name, the button that changes it, and what it is.
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** What the button says. */
  change: string;
  disabled?: boolean;
  onChange: () => void;
  children: ReactNode;
}

export function SettingCard({ title, change, disabled, onChange, children }: Props) {
  return (
    <Card component="section" aria-label={title} sx={{ p: 2, mb: 3 }}>
      <Stack sx={{ flexDirection: "row", flexWrap: "wrap", gap: 2, alignItems: "center", mb: 1 }}>
        <Typography variant="h3" component="h2" sx={{ flex: 1 }}>
          {title}
        </Typography>
        <Button size="small" variant="outlined" disabled={disabled} onClick={onChange}>
          {change}
        </Button>
      </Stack>
      {children}
    </Card>
  );
}
