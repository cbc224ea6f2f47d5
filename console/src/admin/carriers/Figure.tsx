// A figure of a carrier with its name, and what is said below it.
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography
        component="dd"
        sx={{ m: 0, fontWeight: 650, fontSize: "1.0625rem", fontVariantNumeric: "tabular-nums" }}
      >
        {children}
      </Typography>
    </div>
  );
}

export function Small({ children }: { children: ReactNode }) {
  return (
    <Typography component="span" variant="body2" color="textSecondary" sx={{ display: "block" }}>
      {children}
    </Typography>
  );
}
