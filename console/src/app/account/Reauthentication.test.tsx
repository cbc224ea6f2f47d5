import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { api } from "../../api/client";
import { Reauthentication } from "../../design/Reauthentication";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import ApiKeys from "./ApiKeys";

test("a sign-in that is old asks for the password, and the key is made by the same request", async () => {
  signedIn();
  answers("get", "/api/api-keys", { api_keys: [], total: 0 });
  const keys: (string | null)[] = [];
  const keep = (request: Request) => void keys.push(request.headers.get("Idempotency-Key"));
  const stale = problem(403, "reauthentication_required", "Enter your password again to do this");
  answers("post", "/api/api-keys", stale, 403, keep);
  const { user } = show(<ApiKeys />);
  await user.click((await screen.findAllByRole("button", { name: /new|make/i }))[0] as HTMLElement);
  await user.type(screen.getByLabelText("Name"), "cron");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();

  const wrong = { errors: [{ field: "password", message: "The password is wrong" }] };
  answers("post", "/api/sessions/reauthenticate", problem(400, "password_wrong", "x", wrong), 400);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("The password is wrong")).toBeVisible();

  answers("post", "/api/sessions/reauthenticate", { message: "Your password is confirmed" });
  const api_key = {
    id: 1,
    name: "cron",
    prefix: "td_abc",
    scopes: ["read"],
    created_at: "2026-01-01T00:00:00Z",
  };
  answers("post", "/api/api-keys", { key: "td_secret", api_key, message: "Keep it" }, 201, keep);
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("td_secret")).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
}, 20_000);

test("one dialog serves all that wait for the password, and another asks again later", async () => {
  signedIn();
  const stale = problem(403, "reauthentication_required", "Enter your password again to do this");
  const refuse = () => answers("delete", "/api/sessions/:id", stale, 403);
  refuse();
  const { user } = show(<Reauthentication />);
  const end = async (id: number) => {
    const { response } = await api.DELETE("/api/sessions/{id}", { params: { path: { id } } });
    return response.status;
  };
  const all = Promise.all([end(1), end(2), end(3)]);
  expect(await screen.findByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
  answers("post", "/api/sessions/reauthenticate", { message: "Your password is confirmed" });
  answers("delete", "/api/sessions/:id", { message: "Ended" });
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await all).toEqual([200, 200, 200]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

  refuse();
  const later = end(4);
  expect(await screen.findByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await later).toBe(403);
}, 20_000);
