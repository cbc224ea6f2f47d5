// Numbers as people read them: `+234 803 123 4567`. The daemon writes digits with the country code.
export function formatPhone(digits: string): string {
  const nigerian = /^234(\d{3})(\d{3})(\d{4})$/.exec(digits);
  if (nigerian) return `+234 ${nigerian[1]} ${nigerian[2]} ${nigerian[3]}`;
  return /^\d+$/.test(digits) ? `+${digits}` : digits;
}
