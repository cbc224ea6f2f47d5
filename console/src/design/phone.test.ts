import { expect, test } from "vitest";
import { formatPhone } from "./phone";

test("a Nigerian number is shown in groups, any other with a plus, and what is none as it is", () => {
  expect(formatPhone("2348031234567")).toBe("+234 803 123 4567");
  expect(formatPhone("447911123456")).toBe("+447911123456");
  expect(formatPhone("none")).toBe("none");
});
