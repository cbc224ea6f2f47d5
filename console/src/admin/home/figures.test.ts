import { expect, test } from "vitest";
import { everyHour } from "./figures";

const NOTHING = { awaited: 0, undelivered: 0, rejected: 0, expired: 0, unknown: 0 };

test("hours without traffic stand between those with it", () => {
  const hours = everyHour(
    {
      from: "2026-11-21T20:00:00.000Z",
      hours: [
        {
          hour: "2026-11-21T21:00:00.000Z",
          ...NOTHING,
          campaigns: 1,
          ordered: 10,
          delivered: 5,
          rejected: 1,
          expired: 1,
          unknown: 1,
        },
      ],
    },
    Date.parse("2026-11-21T22:30:00.000Z"),
  );
  expect(hours.map((it) => it.ordered)).toEqual([0, 10, 0]);
  expect(hours[1]).toMatchObject({ delivered: 5, failed: 2, unknown: 1, rest: 2 });
});
