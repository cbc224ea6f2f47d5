import { expect, test } from "vitest";
import { labels, ticks, widthOf } from "./scale";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [19_992, [0, 5_000, 10_000, 15_000, 20_000]],
  [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
])("an axis up to %d has whole ticks that reach it", (top, expected) => {
  expect(ticks(top)).toEqual(expected);
});

test.each([
  [14, 260],
  [14, 900],
  [240, 260],
  [168, 1100],
  [2, 260],
])("labels of %d columns in %d px touch neither one another nor the edge", (many, width) => {
  const names = Array.from({ length: many }, (_, at) => `11-${String(at).padStart(2, "0")} 22:21`);
  const shown = labels(names, 40, width);
  expect(shown.length).toBeGreaterThan(0);
  const half = widthOf("11-00 22:21") / 2;
  for (const [at, { x }] of shown.entries()) {
    expect(x + half).toBeLessThanOrEqual(40 + width);
    const next = shown[at + 1];
    if (next) expect(next.x - x).toBeGreaterThan(2 * half);
  }
});
