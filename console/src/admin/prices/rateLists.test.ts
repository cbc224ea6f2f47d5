import { expect, test } from "vitest";
import { keyOf, NO_EDITS, type RateRow } from "./rateList";
import {
  ALL_RATES_MAX,
  allChanges,
  bodyOfLists,
  type Draft,
  FOR_ALL,
  faultOf,
  listsOf,
  planNameFault,
  unsavedPlans,
  whereOf,
} from "./rateLists";

const rate = (prefix: string, naira: number) => ({ prefix, network: null, espees: null, naira });
const sent = (prefix: string, naira: number) => ({ ...rate(prefix, naira), purpose: null });
const row = (prefix: string, naira: bigint): RateRow => ({
  prefix,
  network: "",
  purpose: "",
  espees: null,
  naira: naira * 1_000_000n,
  updated_at: null,
});
const edits = (...rows: (RateRow | [string, null])[]) =>
  new Map(
    rows.map((it) =>
      Array.isArray(it) ? [keyOf({ prefix: it[0], network: "", purpose: "" }), null] : [keyOf(it), it],
    ),
  );

const STORED = {
  rates: [rate("44", 60)],
  plans: [
    { name: "gold", rates: [rate("44", 50)], users: 2 },
    { name: "old", rates: [rate("33", 5)], users: 0 },
  ],
  total: 1,
  version: "v1",
};
const draft = (...lists: [string, Draft extends ReadonlyMap<string, infer E> ? E : never][]): Draft =>
  new Map(lists);

test("only lists that change are sent, and of plans all of them", () => {
  const forAll = listsOf(STORED, draft([FOR_ALL, edits(row("44", 61n))]));
  expect(bodyOfLists(forAll)).toEqual({ purposes: true, rates: [sent("44", 61)] });
  const plan = listsOf(STORED, draft(["gold", edits(row("1", 3n))], [FOR_ALL, edits(row("44", 60n))]));
  expect(bodyOfLists(plan)).toEqual({
    purposes: true,
    plans: [
      { name: "gold", rates: [sent("1", 3), sent("44", 50)] },
      { name: "old", rates: [sent("33", 5)] },
    ],
  });
  expect(whereOf(plan)).toBe("In the plan gold.");
});

test("a plan without rates is left out, and one that users have cannot be", () => {
  const removed = listsOf(STORED, draft(["old", edits(["33", null])], ["new", NO_EDITS]));
  expect(removed.map((it) => [it.name, it.state])).toEqual([
    [FOR_ALL, null],
    ["gold", null],
    ["new", "new"],
    ["old", "removed"],
  ]);
  expect(bodyOfLists(removed)).toEqual({
    purposes: true,
    plans: [{ name: "gold", rates: [sent("44", 50)] }],
  });
  expect(faultOf(removed)).toBeNull();
  expect([...unsavedPlans(removed).keys()]).toEqual(["new"]);
  expect(faultOf(listsOf(STORED, draft(["gold", edits(["44", null])])))).toBe(
    "2 users have the plan gold: leave a rate in it, or take it from them first.",
  );
});

test("a plan that another removed meanwhile stays here with what was changed of it", () => {
  const lists = listsOf({ ...STORED, plans: [] }, draft(["gold", edits(row("44", 51n), ["1", null])]));
  expect(lists[1]).toMatchObject({ name: "gold", state: "new" });
  expect(bodyOfLists(lists)).toEqual({ purposes: true, plans: [{ name: "gold", rates: [sent("44", 51)] }] });
});

test("a change says its list, and those to be looked at twice are first whatever their list", () => {
  const lists = listsOf(STORED, draft([FOR_ALL, edits(row("44", 61n))], ["gold", edits(row("44", 500n))]));
  expect(allChanges(lists).map((it) => it.list)).toEqual(["gold", FOR_ALL]);
  expect(whereOf(lists)).toBe("In the rates for all and the plan gold.");
});

test("what the daemon would not take of all lists together is said before", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => row(String(1_000 + at), 1n));
  const lists = (last: RateRow[]) =>
    listsOf(STORED, draft(["a", edits(...many)], ["b", edits(...many)], ["c", edits(...last)]));
  expect(faultOf(lists(many.slice(3)))).toBeNull();
  expect(faultOf(lists(many.slice(2)))).toContain(
    `${ALL_RATES_MAX.toLocaleString("en")} rates in all lists together, and these are 3,001`,
  );
});

test("a plan's name is short and plain, and its own", () => {
  const lists = listsOf(STORED, draft());
  expect(planNameFault("silver-2_a", lists)).toBeNull();
  for (const name of ["", "Gold", "gold plan", "+", "a".repeat(41)])
    expect(planNameFault(name, lists), name).toContain("Write up to 40");
  expect(planNameFault("gold", lists)).toContain("There is a plan gold already");
});
