// How announcements are dealt to the two banners: the first half, rounded up, to the upper one.
export function halves<T>(all: readonly T[]): { upper: T[]; lower: T[] } {
  const cut = Math.ceil(all.length / 2);
  return { upper: all.slice(0, cut), lower: all.slice(cut) };
}

/** A banner with one item repeats it three times. */
export function repeated<T>(items: readonly T[]): T[] {
  const [only] = items;
  return items.length === 1 && only !== undefined ? [only, only, only] : [...items];
}
