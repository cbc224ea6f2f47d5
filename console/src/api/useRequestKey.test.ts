import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { problemOf, unreachable } from "./problem";
import { useRequestKey } from "./useRequestKey";

const keys = () => renderHook(() => useRequestKey()).result.current;

test("what met with silence, a proxy's or the network's, is asked again under the same key", () => {
  const request = keys();
  const key = request.keyOf("one");
  const page = "<html>Gateway Time-out</html>";
  const late = problemOf(503, { code: "timeout", message: "It may have been done all the same" });
  const lost = problemOf(500, { code: "database", message: "Look whether it was done" });
  const proxies = [408, 502, 503, 504, 524].map((status) => problemOf(status, page));
  const silences = [unreachable(), ...proxies, late, lost];
  for (const silence of silences) {
    request.answered(silence);
    expect(request.keyOf("one")).toBe(key);
  }
});

test("after an answer of the daemon, a refusal or a success, the key is another", () => {
  const request = keys();
  const answers = [
    undefined,
    problemOf(400, null),
    problemOf(409, { code: "key_reused", message: "Another" }),
  ];
  for (const answer of answers) {
    const key = request.keyOf("one");
    request.answered(answer);
    expect(request.keyOf("one")).not.toBe(key);
  }
});
