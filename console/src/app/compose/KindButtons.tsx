// One of a few kinds of what is sent, and what is to be known of it.
import Box from "@mui/material/Box";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";

interface Props<Kind> {
  label: string;
  kinds: readonly { kind: Kind; label: string; text: string }[];
  value: Kind;
  onChange: (kind: Kind) => void;
}

export function KindButtons<Kind extends string>({ label, kinds, value, onChange }: Props<Kind>) {
  return (
    <Box sx={{ mb: 2.5 }}>
      <ToggleButtonGroup
        exclusive
        color="primary"
        value={value}
        onChange={(_, next: Kind | null) => next && onChange(next)}
        aria-label={label}
        size="small"
        sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}
      >
        {kinds.map((it) => (
          <ToggleButton
            key={it.kind}
            value={it.kind}
            sx={{
              px: 2,
              minHeight: 40,
              textTransform: "none",
              fontWeight: 600,
              "&.MuiToggleButton-root": { border: 1, borderColor: "divider", borderRadius: 1, m: 0 },
              "&.Mui-selected.MuiToggleButton-root": {
                borderColor: "primary.main",
                backgroundColor: "primary.light",
              },
            }}
          >
            {it.label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {kinds.find((it) => it.kind === value)?.text}
      </Typography>
    </Box>
  );
}
