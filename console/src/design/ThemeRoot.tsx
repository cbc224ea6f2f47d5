// The ground of every room with MUI: its theme, by day or by night as the system says.
import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { ReactNode } from "react";
import { darkTheme, lightTheme } from "./theme";

export function ThemeRoot({ children }: { children: ReactNode }) {
  const night = useMediaQuery("(prefers-color-scheme: dark)", { noSsr: true });
  return (
    <ThemeProvider theme={night ? darkTheme : lightTheme}>
      <CssBaseline />
      {children}
    </ThemeProvider>
  );
}
