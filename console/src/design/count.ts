// Whole numbers as every page writes them.

/** `1,200`. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** `1 message`, `2,000 messages`. */
export function messages(value: number): string {
  return `${count(value)} ${value === 1 ? "message" : "messages"}`;
}
