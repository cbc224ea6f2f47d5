import { beforeAll, expect, test } from "vitest";
import { prepare } from "./content/numbers";
import { headOf, sharedColumns, tableOf } from "./merge";
import { inAll } from "./Recipients";

beforeAll(prepare);

test("the columns of a file are its titles in lower case, without the one of the numbers", async () => {
  const file = new File(["\ufeffPhone;Name;Name;\r\n08031234567;Ada;Obi;5\r\n"], "a.csv");
  const source = await headOf(file);
  expect(source.columns).toEqual(["name", "name_2", "column4"]);
  expect(source.head).toEqual([
    { number: "2348031234567", values: { name: "Ada", name_2: "Obi", column4: "5" } },
  ]);
});

test("a list of numbers has no columns", () => {
  expect(tableOf([["08031234567"], ["08021234567"]])).toEqual({
    columns: [],
    head: [
      { number: "2348031234567", values: {} },
      { number: "2348021234567", values: {} },
    ],
  });
  expect(tableOf([["08031234567", "08021234567"]]).columns).toEqual([]);
  expect(tableOf([["Numbers"], ["08031234567"]]).head).toHaveLength(1);
});

test("a table without titles numbers its columns", () => {
  const rows = [
    ["Ada", "08031234567"],
    ["Bola", "08021234567"],
  ];
  expect(tableOf(rows)).toMatchObject({ columns: ["column1"], head: [{ values: { column1: "Ada" } }, {}] });
});

test("only the head of a large file is read", async () => {
  const line = "08031234567,Ada\n";
  const file = new File(["phone,name\n", line.repeat(200_000)], "large.csv");
  let read = 0;
  const slice = file.slice.bind(file);
  file.slice = (from, to) => {
    read += (to ?? file.size) - (from ?? 0);
    return slice(from, to);
  };
  expect((await headOf(file)).head).toHaveLength(5);
  expect(read).toBeLessThan(100_000);
});

test("a field can be used where every source has it", () => {
  const source = (columns: string[]) => ({ name: "", columns, head: [] });
  expect(sharedColumns([source(["name", "amount"]), source([]), source(["email", "name"])])).toEqual([
    "name",
  ]);
});

test("what the daemon counted of all recipients is said, and nothing of what is not there", () => {
  const none = { columns: [], networks: {}, rejects: [], total_invalid: 0, total_suppressed: 0 };
  expect(inAll({ ...none, total_contacts: 1, total_duplicates_removed: 0 })).toBe("1 contact in all");
  const all = { ...none, total_contacts: 4_700, total_duplicates_removed: 100, total_suppressed: 2 };
  expect(inAll({ ...all, total_invalid: 1 })).toBe(
    "4,700 contacts in all, 100 duplicates left out, 2 opted-out numbers left out, 1 entry that cannot be used",
  );
});
