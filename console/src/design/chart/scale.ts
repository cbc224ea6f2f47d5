// Where the ticks of an axis stand.

/** About so many steps of 1, 2 or 5 times a power of ten, whole ones, from nothing to at least `top`. */
export function ticks(top: number, steps = 4): number[] {
  const rough = Math.max(1, top / steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((it) => it * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(top / step)) + 1 }, (_, at) => at * step);
}

interface Label {
  at: number;
  text: string;
  /** Where its middle is. */
  x: number;
}

/** The room that a letter of an axis takes, in px, at most. */
const LETTER = 6.8;
const GAP = 16;

export function widthOf(text: string): number {
  return text.length * LETTER;
}

/** Every so many-th of the columns, so that no label touches the next or leaves the picture. */
export function labels(names: readonly string[], left: number, width: number): Label[] {
  const band = width / Math.max(1, names.length);
  const widest = names.reduce((most, it) => Math.max(most, widthOf(it)), 0);
  const every = Math.max(1, Math.ceil((widest + GAP) / Math.max(1, band)));
  return names.flatMap((text, at) => {
    if (at % every !== 0) return [];
    const x = left + band * (at + 0.5);
    const most = left + width - widthOf(text) / 2;
    // Only the last can be pushed, and by less than the gap before it.
    return most < x - GAP ? [] : [{ at, text, x: Math.min(x, most) }];
  });
}
