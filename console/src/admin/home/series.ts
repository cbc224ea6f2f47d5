// What a bar of the traffic chart is made of, from the ground up.
import type { Theme } from "@mui/material/styles";
import type { Hour } from "./figures";

interface Series {
  key: Exclude<keyof Hour, "hour" | "ordered">;
  label: string;
  colour: (theme: Theme) => string;
}

export const SERIES: readonly Series[] = [
  { key: "delivered", label: "Delivered", colour: (theme) => theme.palette.primary.main },
  { key: "awaited", label: "Receipt awaited", colour: (theme) => theme.palette.info.main },
  { key: "failed", label: "Failed", colour: (theme) => theme.palette.error.main },
  { key: "unknown", label: "Unknown", colour: (theme) => theme.palette.warning.main },
  { key: "rest", label: "Not sent", colour: (theme) => theme.palette.text.disabled },
];
