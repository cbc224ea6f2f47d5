import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** The form, and beside it what was begun before. */
export function FundLayout({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2.5,
        alignItems: "start",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 5fr) minmax(0, 4fr)" },
      }}
    >
      {children}
    </Box>
  );
}
