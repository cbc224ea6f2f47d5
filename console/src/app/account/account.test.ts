import { expect, test } from "vitest";
import { clientName } from "./account";

test("a browser is named as people name it, and anything else by its own word", () => {
  const edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0";
  expect(clientName(edge)).toBe("Edge on Windows");
  expect(clientName("Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Mobile Safari/537.36")).toBe(
    "Chrome on Android",
  );
  expect(clientName("talkdrum/0.1")).toBe("talkdrum/0.1");
  expect(clientName("")).toBe("Unknown client");
});
