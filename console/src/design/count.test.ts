import { expect, test } from "vitest";
import { counted, messages } from "./count";

test("messages are counted with their noun", () => {
  expect(messages(1)).toBe("1 message");
  expect(messages(2_000)).toBe("2,000 messages");
  expect(counted(2, "entry", "entries")).toBe("2 entries");
});
