import { expect, test } from "vitest";
import { duration } from "./duration";

test("a duration is said in its two largest units", () => {
  expect(duration(0)).toBe("0 s");
  expect(duration(95)).toBe("1 min 35 s");
  expect(duration(7_260)).toBe("2 h 1 min");
  expect(duration(90_000)).toBe("1 d 1 h");
});
