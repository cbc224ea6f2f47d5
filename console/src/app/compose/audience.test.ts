import { expect, test } from "vitest";
import { runsOf } from "./audience";
import { NO_FIRST } from "./first";

const audience = {
  recipients: "",
  groups: [],
  audience: [],
  purpose: "",
  payment_method: "",
  ...NO_FIRST,
} as const;
const runs = (...times: string[]) => runsOf({ ...audience, groups: [], audience: [], later: true, times });

test("a campaign is sent once at each of its times, and once at a time that is given twice", () => {
  expect(runs("2030-01-01 10:00", "2030-01-02 10:00", "")).toBe(2);
  expect(runs("2030-01-01 10:00", "2030-01-01 10:00")).toBe(1);
  expect(runs("")).toBe(1);
  const times = ["2030-01-01 10:00", "2030-01-02 10:00"];
  expect(runsOf({ ...audience, groups: [], audience: [], later: false, times })).toBe(1);
});
