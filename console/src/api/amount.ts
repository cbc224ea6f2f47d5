// Amounts on their way to the daemon. Its document says number; it takes text as well, which stays exact at any size.
export function asAmount(text: string): number {
  return text as unknown as number;
}
