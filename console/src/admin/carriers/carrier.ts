// A carrier's health in tones.
import type { components } from "../../api/schema";

export type Carrier = components["schemas"]["Carrier"];

export const HEALTH_TONES = {
  up: "success",
  connecting: "warning",
  stopped: "error",
  unheld: "error",
} as const;

export function toneOf<Tone>(tones: Record<string, Tone>, word: string): Tone | "warning" {
  return tones[word] ?? "warning";
}
