import { expect, test } from "vitest";
import { lostOf, stillMissing, without } from "./lostFiles";

const file = (id: number, name: string) => ({ id, name, bytes: 1, created_at: "" });
const list = (name: string) => new File(["1"], name);

test("of two files of one name one may be lost", () => {
  expect(lostOf(["a.csv", "a.csv", "b.csv"], { files: [file(1, "a.csv"), file(2, "b.csv")] })).toEqual([
    "a.csv",
  ]);
  expect(lostOf(["a.csv", "a.csv"], { files: [file(1, "a.csv"), file(2, "a.csv")] })).toEqual([]);
  expect(without(["a", "a", "b"], ["a", "c"])).toEqual(["a", "b"]);
});

test("a name that the daemon shortened is no lost file", () => {
  expect(lostOf(["a-long-name.csv"], { files: [file(1, "a-long")] })).toEqual([]);
  expect(lostOf(["a-long-name.csv", "b.csv"], { files: [file(1, "a-long")] })).toHaveLength(1);
});

test("a file that came from the daemon does not stand for one of its name that is lost; one attached since does", () => {
  const kept = list("a.csv");
  const lost = { names: ["a.csv"], beside: [kept] };
  expect(stillMissing(lost, [kept])).toEqual(["a.csv"]);
  expect(stillMissing(lost, [kept, list("a.csv")])).toEqual([]);
  expect(stillMissing(lost, [kept, list("b.csv")])).toEqual(["a.csv"]);
});
