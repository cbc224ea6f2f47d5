import { expect, test } from "vitest";
import {
  bodyOf,
  changesOf,
  edited,
  marginOf,
  NO_EDITS,
  prefixFault,
  type RateRow,
  readPrefix,
  rowsOf,
  shownRows,
  undone,
  wantedRows,
} from "./rateList";
import { fileOf, readRates } from "./ratesFile";

const row = (
  prefix: string,
  network: string,
  espees: bigint | null,
  naira: bigint | null,
  purpose: RateRow["purpose"] = "",
): RateRow => ({
  prefix,
  network,
  purpose,
  espees,
  naira,
  updated_at: null,
});

const BRITAIN = row("44", "", 80_000n, 60_000_000n);
const MTN = row("234", "mtn", null, 4_200_000n);
const STORED = [MTN, BRITAIN];

test("rates are read to the micro-unit and sent as they were", () => {
  const rates = [
    {
      prefix: "44",
      network: null,
      purpose: null,
      espees: 0.000001,
      naira: 60.25,
      updated_at: "2026-11-01T08:00:00Z",
    },
    {
      prefix: "234",
      network: "mtn",
      purpose: "otp" as const,
      espees: null,
      naira: 0,
      updated_at: null,
    },
  ];
  const rows = rowsOf(rates);
  expect(rows[0]).toMatchObject({ network: "", purpose: "", espees: 1n, naira: 60_250_000n });
  expect(rows[1]).toMatchObject({ purpose: "otp", espees: null, naira: 0n });
  expect(bodyOf(rows)).toEqual(rates.map(({ updated_at: _, ...rest }) => rest));
});

test("what is changed here is laid over the list, whatever the list has become", () => {
  let edits = edited(NO_EDITS, row("44", "", 90_000n, 60_000_000n), BRITAIN);
  edits = edited(edits, null, MTN);
  edits = edited(edits, row("1", "", 30_000n, null), null);
  expect(shownRows(STORED, edits).map((it) => [it.row.prefix, it.edit])).toEqual([
    ["1", "new"],
    ["234", "removed"],
    ["44", "changed"],
  ]);
  expect(wantedRows(STORED, edits).map((it) => it.prefix)).toEqual(["1", "44"]);
  // Another removed one of them, changed the other to the same, and set a third.
  const later = [row("33", "", 1n, null), row("44", "", 90_000n, 60_000_000n)];
  expect(shownRows(later, edits).map((it) => [it.row.prefix, it.edit])).toEqual([
    ["1", "new"],
    ["33", null],
    ["44", null],
  ]);
  expect(shownRows(STORED, undone(edits, MTN))[1]).toEqual({ row: MTN, edit: null });
});

test("a rate that gets another destination is removed from the old one", () => {
  const edits = edited(NO_EDITS, { ...BRITAIN, prefix: "447" }, BRITAIN);
  expect(wantedRows(STORED, edits).map((it) => it.prefix)).toEqual(["234", "447"]);
  const back = edited(edits, BRITAIN, { ...BRITAIN, prefix: "447" });
  expect(changesOf(STORED, back)).toEqual([]);
});

test("changes are told price by price, those by more than half first and new ones last", () => {
  let edits = edited(NO_EDITS, row("234", "mtn", 10n, 4_300_000n), MTN);
  edits = edited(edits, row("44", "", null, 600_000_000n), BRITAIN);
  const changes = changesOf(STORED, edits);
  expect(changes.map((it) => [it.row.prefix, it.currency, it.before, it.after])).toEqual([
    ["44", "naira", 60_000_000n, 600_000_000n],
    ["234", "naira", 4_200_000n, 4_300_000n],
    ["44", "espees", 80_000n, null],
    ["234", "espees", null, 10n],
  ]);
  expect(changes.map((it) => it.told?.steep)).toEqual([true, false, undefined, false]);
});

test("a prefix is digits from the calling code on", () => {
  for (const text of ["44", "+44", " 234 803", "1", "123456789012345"])
    expect(prefixFault(readPrefix(text)), text).toBeNull();
  for (const text of ["", "0044", "+", "44a", "1234567890123456"])
    expect(prefixFault(readPrefix(text)), text).toContain("Write digits from the calling code on");
});

test("a file of rates is read, whatever the order of its columns", () => {
  const { rows, faults } = readRates("Naira;prefix;network\n60.25;+44;\n\n4.2;234;MTN\n");
  expect(faults).toEqual([]);
  expect(rows).toEqual([row("44", "", null, 60_250_000n), row("234", "mtn", null, 4_200_000n)]);
});

test("what is wrong with a file is told by its line, and all of it at once", () => {
  const lines = [
    "prefix,network,espees,naira",
    "44,,0.08,60",
    "0044,,1,1",
    "",
    "33,,,",
    "49,,four,1",
    "31,,,-2",
    "44,,0.09,",
    "32,,1,2,3",
    "45,,0.0000001,",
  ];
  const { rows, faults } = readRates(lines.join("\r\n"));
  expect(rows).toHaveLength(1);
  expect(faults.map((it) => it.line)).toEqual([3, 5, 6, 7, 8, 9, 10]);
  expect(faults[0]?.text).toContain("'0044' is no prefix: write digits");
  expect(faults[1]?.text).toContain("no price");
  expect(faults[2]?.text).toContain("'four' is no price");
  expect(faults[3]?.text).toContain("'-2' is no price");
  expect(faults[4]?.text).toBe("Its destination is in line 2 already");
  expect(faults[5]?.text).toContain("more cells");
});

test("a file without the head, with another column, without rates or with too many is refused whole", () => {
  const fault = (text: string) => readRates(text).faults;
  for (const text of [
    "",
    "44,,0.08,60",
    "prefix,network\n44,mtn",
    "prefix,naira,cost\n44,1,1",
    "prefix,naira\n",
  ])
    expect(fault(text), text).toMatchObject([{ line: null }]);
  const many = Array.from({ length: 1_001 }, (_, at) => `${1_000 + at},1`).join("\n");
  expect(fault(`prefix,naira\n${many}`)[0]?.text).toBe("There may be 1,000 rates, and these are 1,001");
});

test("a file that was written is read as it was", () => {
  const rows = [
    ...STORED,
    row("44", "", null, 70_000_000n, "otp"),
    row("44", "", 90_000n, null, "promotional"),
  ];
  expect(fileOf(rows).split("\r\n")).toEqual([
    "prefix,network,purpose,espees,naira",
    "234,mtn,,,4.2",
    "44,,,0.08,60",
    "44,,otp,,70",
    "44,,promotional,0.09,",
  ]);
  expect(readRates(fileOf(rows))).toEqual({ rows, faults: [] });
});

test("a purpose in a file is a word of the daemon's, and of one destination each is there once", () => {
  const lines = ["prefix,purpose,naira", "44,OTP,1", "44,,2", "44,codes,3", "44,otp,4", "44,toString,5"];
  const { rows, faults } = readRates(lines.join("\n"));
  expect(rows).toEqual([row("44", "", null, 1_000_000n, "otp"), row("44", "", null, 2_000_000n)]);
  expect(faults).toEqual([
    {
      line: 4,
      text: "'codes' is no purpose: write promotional, transactional or otp, or nothing for all",
    },
    { line: 5, text: "Its destination is in line 2 already" },
    {
      line: 6,
      text: "'toString' is no purpose: write promotional, transactional or otp, or nothing for all",
    },
  ]);
});

test("rates of a destination for several purposes are apart, that for all before the others", () => {
  const codes = row("44", "", null, 70_000_000n, "otp");
  const edits = edited(edited(NO_EDITS, codes, null), row("44", "", null, 1n, "promotional"), codes);
  expect(wantedRows(STORED, edits).map((it) => [it.prefix, it.purpose])).toEqual([
    ["234", ""],
    ["44", ""],
    ["44", "promotional"],
  ]);
  expect(changesOf([...STORED, codes], edited(NO_EDITS, null, codes))).toMatchObject([
    { row: { purpose: "otp" }, before: 70_000_000n, after: null },
  ]);
});

test("what is left of a price is known where the carrier's charge is, and may be below zero", () => {
  const rate = { prefix: "234", espees: 0.02, naira: 2.4, cost_naira: 2.5 };
  const [row] = rowsOf([rate]);
  if (!row) throw new Error("no row");
  expect([marginOf(row, "naira"), marginOf(row, "espees")]).toEqual([-100_000n, null]);
  const changed = shownRows([row], edited(NO_EDITS, { ...row, naira: 3_000_000n, cost: undefined }, null))[0];
  expect(changed && marginOf(changed.row, "naira")).toBe(500_000n);
  expect(bodyOf([row])[0]).not.toHaveProperty("cost");
});
