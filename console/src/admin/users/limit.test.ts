import { expect, test } from "vitest";
import { capOf, capText } from "./limit";

test("a limit comes and goes as it was chosen", () => {
  expect(capText(capOf(5000, false))).toBe("5000");
  expect(capText(capOf(5000, true))).toBe("default");
  expect(capText(capOf(null, true))).toBe("default");
  expect(capText(capOf(null, false))).toBe("0");
});

test("a limit of its own is an amount, and never by accident none at all", () => {
  expect(capText({ kind: "own", amount: " 1,000.50 " })).toBe("1000.50");
  for (const amount of ["", " ", "0", "0.00", "."]) expect(capText({ kind: "own", amount })).toBe("");
});
