// The states of a carrier and of its connections, in the tones of `StatusChip`.

export const STATE_TONES = {
  open: "success",
  paused: "warning",
  draining: "info",
  drained: "neutral",
} as const;
export const HEALTH_TONES = {
  up: "success",
  connecting: "warning",
  refusing: "error",
  stopped: "error",
  unheld: "error",
} as const;

export function toneOf<Tone>(tones: Record<string, Tone>, word: string): Tone | "warning" {
  return tones[word] ?? "warning";
}
