// The look in values: what MUI's theme and the public site's style sheet (tokens.css) share. A test keeps them equal.
// One accent, the green of a drum's dyed cord; neutrals are warm paper by day and deep green-black by night.

export interface Palette {
  paper: string;
  surface: string;
  sunken: string;
  ink: string;
  inkSoft: string;
  line: string;
  lineStrong: string;
  accent: string;
  accentHover: string;
  onAccent: string;
  accentSoft: string;
  danger: string;
  onDanger: string;
  dangerSoft: string;
  warning: string;
  warningSoft: string;
  success: string;
  successSoft: string;
  info: string;
  infoSoft: string;
}

export const light: Palette = {
  paper: "#faf8f3",
  surface: "#ffffff",
  sunken: "#f2efe7",
  ink: "#17211c",
  inkSoft: "#55605a",
  line: "#e4dfd3",
  lineStrong: "#7d837a",
  accent: "#0b5d44",
  accentHover: "#084834",
  onAccent: "#ffffff",
  accentSoft: "#e2f0e9",
  danger: "#b3261e",
  onDanger: "#ffffff",
  dangerSoft: "#fbe9e7",
  warning: "#8a5200",
  warningSoft: "#fdf0d9",
  success: "#1b6b3a",
  successSoft: "#e3f2e6",
  info: "#24567d",
  infoSoft: "#e5eff7",
};

export const dark: Palette = {
  paper: "#101613",
  surface: "#18201c",
  sunken: "#0b100e",
  ink: "#edf1ee",
  inkSoft: "#a9b5ae",
  line: "#2b3631",
  lineStrong: "#717d76",
  accent: "#6fd3ab",
  accentHover: "#93e0c2",
  onAccent: "#06251a",
  accentSoft: "#17332a",
  danger: "#ff9d94",
  onDanger: "#3b0905",
  dangerSoft: "#3a1d1a",
  warning: "#f2be6b",
  warningSoft: "#37290f",
  success: "#85d79d",
  successSoft: "#173222",
  info: "#9cc7ec",
  infoSoft: "#172a39",
};

export const FONT =
  '"Hanken Grotesk Variable", "Hanken Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const MONO = 'ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace';

export const RADIUS = 10;
export const DRAWER_WIDTH = 240;
export const TOAST_MS = 5000;

/** `inkSoft` is `--ink-soft` in the style sheet. */
export function variable(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
