// Spans of time in words.

/** `95` as `1 min 35 s`, `7260` as `2 h 1 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.trunc(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.trunc(whole / 3_600)} h ${Math.trunc((whole % 3_600) / 60)} min`;
  return `${Math.trunc(whole / 86_400)} d ${Math.trunc((whole % 86_400) / 3_600)} h`;
}

/** How long something still takes: `less than a minute`, `about 5 minutes`. */
export function remaining(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} minute${minutes === 1 ? "" : "s"}`;
  const hours = Math.round(minutes / 60);
  return `about ${hours} hour${hours === 1 ? "" : "s"}`;
}
