import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Series } from "./barsOf";

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, rowGap: 0.5 }}>
      {series.map((it) => (
        <Box key={it.key} sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <Box
            aria-hidden
            sx={(theme) => ({ width: 10, height: 10, borderRadius: 0.5, bgcolor: it.colour(theme) })}
          />
          <Typography variant="body2" color="textSecondary">
            {it.label}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
