import { expect, test } from "vitest";
import { messages } from "./count";

test("messages are counted with their noun", () => {
  expect(messages(1)).toBe("1 message");
  expect(messages(2_000)).toBe("2,000 messages");
});
