import { expect, test } from "vitest";
import { CHAT, ChatError } from "../api/kingschat";
import { ApiProblem } from "../api/problem";
import { saidOf } from "./useKingsChat";

test("a sign-in without a token or a profile is told in the specification's words", () => {
  expect(saidOf(new ChatError(CHAT.noToken))).toBe("Login failed. Please try again.");
  expect(saidOf(new ApiProblem(502, "chat", "KingsChat answered 500"))).toBe(
    "Login failed. Please try again.",
  );
  expect(saidOf(new TypeError("x"))).toBe("Login failed. Please try again.");
  expect(saidOf(new ChatError(CHAT.closed))).toBe("User closed window before allowing access");
  expect(saidOf(new ApiProblem(503, "maintenance", "Back at nine."))).toBe("Back at nine.");
});
