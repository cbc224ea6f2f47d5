// The ground of every room with MUI: its theme, by day or by night.
import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import type { ReactNode } from "react";
import { useNight } from "./scheme";
import { darkTheme, lightTheme } from "./theme";

export function ThemeRoot({ children }: { children: ReactNode }) {
  const night = useNight();
  return (
    <ThemeProvider theme={night ? darkTheme : lightTheme}>
      <CssBaseline />
      {children}
    </ThemeProvider>
  );
}
