import { expect, test, vi } from "vitest";
import { signedIn } from "../testing/render";
import { answers, problem } from "../testing/server";
import { api, asForm, ask } from "./client";
import { ApiProblem } from "./problem";
import { session } from "./session";

test("the token and a key for idempotency go with a change", async () => {
  signedIn();
  const seen: Headers[] = [];
  answers("post", "/api/logout", { message: "bye" }, 200, (request) => void seen.push(request.headers));
  await ask(api.POST("/api/logout"));
  await ask(api.POST("/api/logout"));
  expect(seen[0]?.get("Authorization")).toBe("Bearer a-token");
  expect(seen[0]?.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
  expect(seen[1]?.get("Idempotency-Key")).not.toBe(seen[0]?.get("Idempotency-Key"));
});

test("a refusal is thrown with its fields", async () => {
  const errors = [{ field: "name", message: "Name is required" }];
  answers("post", "/api/register/start", problem(400, "name_required", "Name is required", { errors }), 400);
  const thrown = await ask(api.POST("/api/register/start", { body: {} as never })).catch((it: unknown) => it);
  expect(thrown).toBeInstanceOf(ApiProblem);
  expect((thrown as ApiProblem).field("name")).toBe("Name is required");
  expect((thrown as ApiProblem).requestId).toBe("test");
});

test.each([
  [401, problem(401, "unauthorized", "Login again"), "unauthorized"],
  [401, problem(401, "token_expired", "x", { error: "Token error: Token has expired" }), "expired"],
  [500, problem(500, "x", "x", { error: "Token error: Token has expired" }), "expired"],
])("%i ends the session once, and says why", async (status, body, why) => {
  signedIn();
  const ended = vi.fn();
  const stop = session.onEnd(ended);
  answers("get", "/api/user-profile", body, status);
  await Promise.allSettled([ask(api.GET("/api/user-profile")), ask(api.GET("/api/user-profile"))]);
  expect(ended.mock.calls).toEqual([[why]]);
  expect(session.get()).toBeNull();
  expect(sessionStorage.length).toBe(0);
  stop();
});

test("a wrong password and a failure of the daemon's end no session", async () => {
  const ended = vi.fn();
  const stop = session.onEnd(ended);
  answers("post", "/api/login", problem(401, "wrong_credentials", "The password is wrong"), 401);
  await ask(api.POST("/api/login", { body: {} as never })).catch(() => undefined);
  signedIn();
  answers("get", "/api/user-profile", problem(500, "internal", "broken"), 500);
  await ask(api.GET("/api/user-profile")).catch(() => undefined);
  expect(ended).not.toHaveBeenCalled();
  expect(session.get()).not.toBeNull();
  stop();
});

test("silence is a problem that says what to do", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(ask(api.GET("/api/user-profile"))).rejects.toMatchObject({
    status: 0,
    message: "Talkdrum cannot be reached. Check your connection and try again.",
  });
});

test("a form repeats lists, carries files under their names and leaves out what is absent", () => {
  const form = asForm({
    time: ["a", "b"],
    file: new File(["1"], "list.csv"),
    none: undefined,
    nil: null,
    n: 5,
  });
  expect(form.getAll("time")).toEqual(["a", "b"]);
  expect((form.get("file") as File).name).toBe("list.csv");
  expect(form.get("n")).toBe("5");
  expect([...form.keys()]).not.toContain("none");
  expect([...form.keys()]).not.toContain("nil");
});
