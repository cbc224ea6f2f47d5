// Whole numbers as every page writes them.

/** `1,200`. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** `1 contact`, `2,000 contacts`. */
export function counted(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

export const messages = (value: number) => counted(value, "message");
