import { expect, test } from "vitest";
import { callFacts } from "./callFacts";
import { callerName, wordsOf } from "./sendWords";

test("calls are counted as calls, messages as messages, and both as both", () => {
  expect(wordsOf("text").of(2_000)).toBe("2,000 messages");
  expect(wordsOf("voice").of(1)).toBe("1 call");
  expect(wordsOf("voice", "voice").of(3)).toBe("3 calls");
  expect(wordsOf("voice", "flash").of(3)).toBe("3 messages and calls");
  expect(wordsOf("voice", "flash").of(1)).toBe("1 message or call");
  expect([wordsOf("text"), wordsOf("voice")].map(({ unit, One, Many }) => [unit, One, Many])).toEqual([
    ["page", "Message", "Messages"],
    ["pulse", "Call", "Calls"],
  ]);
});

test("calls come from a number, or from the platform's", () => {
  expect(callerName("2348031234567")).toBe("+234 803 123 4567");
  expect(callerName("WEBSMS")).toBe("The platform's number");
});

test("what is told of a call is what is known of it", () => {
  const busy = {
    attempts: 2,
    outcome: "busy",
    code: 486,
    digits: "",
    ended_by: "callee",
    heard_ms: 0,
    up_ms: 0,
  };
  expect(callFacts(null)).toEqual([]);
  expect(callFacts(busy).map(({ name, value }) => `${name} ${value}`)).toEqual([
    "Calls tried 2",
    "Code of the trunk 486",
  ]);
  const heard = {
    ...busy,
    answered_at: "2026-11-21T08:00:00Z",
    code: null,
    up_ms: 65_100,
    heard_ms: 64_000,
    digits: "1",
  };
  expect(callFacts(heard).map(({ name, value }) => `${name} ${value}`)).toEqual([
    "Calls tried 2",
    "Up for 1 min 6 s",
    "Heard 1 min 4 s",
    "Keys pressed 1",
    "End Hung up by the person called",
  ]);
});
