import { expect, test } from "vitest";
import { breakdownOf, type Moment, timeline } from "./breakdown";
import { NONE } from "./outcomes";

const HEADER =
  "to,status,reason,senderid,network,pages,price,currency,carrier_ref,submitted_at,done_at,id\r\n";

function line(status: string, network: string, at: string, reason = ""): string {
  return `2348031230001,${status},${reason},WEBSMS,${network},1,4.5,naira,9,${at},${at},4096\r\n`;
}

test("outcomes are counted by network, by second and by reason, the most first", async () => {
  const report = new Blob([
    HEADER,
    line("delivered", "glo", "2026-11-21T09:00:00.900Z"),
    line("delivered", "mtn", "2026-11-21T09:00:00.100Z"),
    line("undelivered", "mtn", "2026-11-21T09:00:02.000Z", '"Off, or ""out"" of reach"'),
    line("rejected", "mtn", "2026-11-21T09:00:02.000Z", "The carrier refused the message"),
    line("undelivered", "mtn", "2026-11-21T09:00:02.000Z", '"Off, or ""out"" of reach"'),
    line("queued", "airtel", ""),
  ]);
  const { networks, reasons, seconds } = await breakdownOf(report);
  expect(networks).toEqual([
    { network: "mtn", groups: { ...NONE, delivered: 1, failed: 3 } },
    { network: "airtel", groups: { ...NONE, waiting: 1 } },
    { network: "glo", groups: { ...NONE, delivered: 1 } },
  ]);
  expect(reasons).toEqual([
    { status: "undelivered", reason: 'Off, or "out" of reach', count: 2 },
    { status: "rejected", reason: "The carrier refused the message", count: 1 },
  ]);
  const nine = Date.parse("2026-11-21T09:00:00Z") / 1_000;
  expect([...seconds]).toEqual([
    [nine, { delivered: 2, failed: 0 }],
    [nine + 2, { delivered: 0, failed: 3 }],
  ]);
});

test("a report that is read in several pieces counts each line once", async () => {
  const lines = Array.from({ length: 6_000 }, () => line("delivered", "mtn", "2026-11-21T09:00:00.000Z"));
  const { networks } = await breakdownOf(new Blob([HEADER, ...lines]));
  expect(networks).toEqual([{ network: "mtn", groups: { ...NONE, delivered: 6_000 } }]);
});

const one: Moment = { delivered: 1, failed: 1 };

test("columns have a length people count in, no gaps, and lose nothing", () => {
  const line = timeline(
    new Map([
      [1_000, one],
      [1_130, one],
    ]),
  );
  expect(line?.step_s).toBe(5);
  expect(line?.columns).toHaveLength(27);
  expect(line?.columns[0]).toEqual({ at: 1_000_000, ...one });
  expect(line?.columns.at(-1)).toEqual({ at: 1_130_000, ...one });
  const year = timeline(
    new Map([
      [0, one],
      [365 * 86_400, one],
    ]),
  );
  expect(year?.columns.length).toBeLessThanOrEqual(48);
  expect(year?.columns.reduce((sum, it) => sum + it.delivered, 0)).toBe(2);
});

test("what happened within one second is no line", () => {
  expect(timeline(new Map())).toBeNull();
  expect(timeline(new Map([[5, one]]))).toBeNull();
});
