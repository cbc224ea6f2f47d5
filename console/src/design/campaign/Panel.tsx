// A titled part of the page, and the pairs of name and value that several of them hold.
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";

export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} sx={{ p: { xs: 2, sm: 2.5 } }}>
      <Stack sx={{ flexDirection: "row", flexWrap: "wrap", alignItems: "center", gap: 1, mb: 2 }}>
        {/* On one line, as far as there is room: what stands beside it goes below first. */}
        <Typography variant="h2" id={id} sx={{ flex: "1 0 auto", maxWidth: "100%" }}>
          {title}
        </Typography>
        {aside}
      </Stack>
      {children}
    </Card>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return (
    <Box component="dl" sx={{ m: 0, display: "grid", gap: 1 }}>
      {children}
    </Box>
  );
}

export function Fact({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "baseline", gap: 2 }}>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography
        component="dd"
        variant="body2"
        sx={{ m: 0, textAlign: "right", overflowWrap: "anywhere", fontWeight: strong ? 700 : 500 }}
      >
        {children}
      </Typography>
    </Box>
  );
}

/** A fact that needs the whole width. */
export function Below({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Box component="dd" sx={{ m: 0, mt: 0.75 }}>
        {children}
      </Box>
    </div>
  );
}
