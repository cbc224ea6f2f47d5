// What a bar of the traffic chart is made of, from the ground up.

import { colourOf } from "../../design/campaign/OutcomeBar";
import type { Series } from "../../design/chart/barsOf";
import type { Hour } from "./figures";

export const SERIES: readonly (Series & { key: Exclude<keyof Hour, "hour" | "ordered"> })[] = [
  { key: "delivered", label: "Delivered", colour: (theme) => colourOf(theme, "delivered") },
  { key: "awaited", label: "Receipt awaited", colour: (theme) => colourOf(theme, "awaited") },
  { key: "failed", label: "Failed", colour: (theme) => colourOf(theme, "failed") },
  { key: "unknown", label: "Unknown", colour: (theme) => colourOf(theme, "unknown") },
  { key: "rest", label: "Not sent", colour: (theme) => colourOf(theme, "unsent") },
];
