import { expect, test } from "vitest";
import { groupsOf, timeline } from "./breakdown";
import { sumOf } from "./outcomes";

const mtn = {
  network: "mtn",
  ordered: 10,
  delivered: 3,
  awaited: 1,
  undelivered: 1,
  rejected: 1,
  expired: 1,
  unknown: 1,
  delivered_per_mille: 500,
};

test("a network's groups add up to its recipients, and the rest waits until the campaign is over", () => {
  expect(groupsOf(mtn, false)).toMatchObject({ delivered: 3, awaited: 1, failed: 3, unknown: 1, waiting: 2 });
  expect(groupsOf(mtn, true)).toMatchObject({ waiting: 0, unsent: 2 });
  expect(sumOf(groupsOf(mtn, true))).toBe(10);
});

const bucket = (at: string, delivered: number, failed = 0) => ({ at, delivered, failed, submitted: 9 });

test("columns have no gaps, lose nothing, and begin with the first outcome", () => {
  const buckets = [
    bucket("2026-11-21T09:00:00Z", 0),
    bucket("2026-11-21T09:00:05Z", 4),
    bucket("2026-11-21T09:00:20Z", 1, 2),
  ];
  const { columns, step_s } = timeline({ buckets, bucket_s: 5, networks: [], reasons: [] });
  expect(step_s).toBe(5);
  expect(columns.map((it) => [it.delivered, it.failed])).toEqual([
    [4, 0],
    [0, 0],
    [0, 0],
    [1, 2],
  ]);
  expect(columns[0]?.at).toBe(Date.parse("2026-11-21T09:00:05Z"));
});

test("a receipt of days later does not make all else a line", () => {
  const buckets = [bucket("2026-11-21T09:00:00Z", 4), bucket("2026-11-24T09:00:00Z", 1)];
  expect(timeline({ buckets, bucket_s: 1, networks: [], reasons: [] }).columns).toHaveLength(2);
});
