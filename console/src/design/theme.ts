// MUI's theme, by day and by night: the dashboard's, the sign-in's and react-admin's.
import { createTheme, type Theme } from "@mui/material/styles";
import { dark, FONT, light, type Palette, RADIUS } from "./tokens";

/** From here on a row of a list is a row, not two lines: the other side of `STACKED`. */
const ROOMY = "@media (min-width: 640px)";
/** As a phone's finger finds it, and as the eye tells rows apart. */
const ROW_HEIGHT = 48;

function makeTheme(mode: "light" | "dark", p: Palette): Theme {
  return createTheme({
    palette: {
      mode,
      primary: { main: p.accent, dark: p.accentHover, light: p.accentSoft, contrastText: p.onAccent },
      secondary: { main: p.accent, dark: p.accentHover, light: p.accentSoft, contrastText: p.onAccent },
      error: { main: p.danger, light: p.dangerSoft, contrastText: p.onDanger },
      warning: { main: p.warning, light: p.warningSoft, contrastText: p.surface },
      success: { main: p.success, light: p.successSoft, contrastText: p.surface },
      info: { main: p.info, light: p.infoSoft, contrastText: p.surface },
      background: { default: p.paper, paper: p.surface },
      text: { primary: p.ink, secondary: p.inkSoft },
      divider: p.line,
    },
    shape: { borderRadius: RADIUS },
    typography: {
      fontFamily: FONT,
      h1: { fontSize: "1.75rem", fontWeight: 700, lineHeight: 1.2, letterSpacing: "-0.02em" },
      h2: { fontSize: "1.25rem", fontWeight: 650, lineHeight: 1.3, letterSpacing: "-0.01em" },
      h3: { fontSize: "1.0625rem", fontWeight: 650, lineHeight: 1.4 },
      button: { textTransform: "none", fontWeight: 600 },
    },
    components: {
      MuiCssBaseline: { styleOverrides: { body: { backgroundColor: p.paper } } },
      MuiPaper: { styleOverrides: { root: { backgroundImage: "none" } } },
      MuiCard: {
        defaultProps: { variant: "outlined" },
        styleOverrides: { root: { borderColor: p.line, borderRadius: RADIUS + 4 } },
      },
      // MUI shows the keyboard's place by a shade alone. Lists and tabs cut off what is outside of their entries.
      MuiButtonBase: {
        styleOverrides: {
          root: {
            "&.Mui-focusVisible": { outline: `2px solid ${p.accent}`, outlineOffset: 2 },
            "&.MuiTab-root.Mui-focusVisible, &.MuiMenuItem-root.Mui-focusVisible, &.MuiListItemButton-root.Mui-focusVisible":
              { outlineOffset: -2 },
          },
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: { root: { minHeight: 42, paddingInline: 18 }, sizeSmall: { minHeight: 34 } },
      },
      // MUI draws the frame in the soft colour, which is hardly seen on paper.
      MuiAlert: {
        styleOverrides: {
          outlined: {
            color: p.ink,
            "&.MuiAlert-colorError": { borderColor: `${p.danger}66`, backgroundColor: p.dangerSoft },
            "&.MuiAlert-colorWarning": { borderColor: `${p.warning}66`, backgroundColor: p.warningSoft },
            "&.MuiAlert-colorSuccess": { borderColor: `${p.success}66`, backgroundColor: p.successSoft },
            "&.MuiAlert-colorInfo": { borderColor: `${p.info}66`, backgroundColor: p.infoSoft },
          },
        },
      },
      MuiOutlinedInput: {
        styleOverrides: {
          notchedOutline: { borderColor: p.lineStrong },
          root: { backgroundColor: p.surface },
        },
      },
      MuiTextField: { defaultProps: { size: "small", fullWidth: true } },
      MuiDialog: { styleOverrides: { paper: { borderRadius: RADIUS + 6 } } },
      MuiDialogTitle: { styleOverrides: { root: { fontSize: "1.25rem", fontWeight: 650, paddingTop: 20 } } },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: p.line },
          head: { color: p.inkSoft, fontWeight: 600, fontSize: "0.8125rem", backgroundColor: p.sunken },
          // Rows of lists; what holds two lines is higher. Small tables, as in dialogs, are as low as their text.
          sizeMedium: {
            [ROOMY]: {
              "&.MuiTableCell-head": { paddingBlock: 10 },
              "&.MuiTableCell-body": { height: ROW_HEIGHT, paddingBlock: 6 },
            },
          },
        },
      },
      MuiLink: { defaultProps: { underline: "always" } },
      MuiTab: { styleOverrides: { root: { minHeight: 44 } } },
      MuiTooltip: {
        styleOverrides: { tooltip: { backgroundColor: p.ink, color: p.paper, fontSize: "0.8125rem" } },
      },
    },
  });
}

export const lightTheme = makeTheme("light", light);
export const darkTheme = makeTheme("dark", dark);
