import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { signedIn } from "../../testing/render";
import { problem, server } from "../../testing/server";
import { deleteOver, endDraft, isOver, overDrafts } from "./overDrafts";

const ended = { key: "k-1", id: 5, created_at: "2026-11-21T10:00:00Z", version: 3 };

beforeEach(() => {
  signedIn();
  localStorage.clear();
});

test("a draft is known by its key, whatever id it has after a restore", () => {
  endDraft(ended);
  const over = overDrafts();
  expect(isOver({ id: 9, key: "k-1", created_at: "2026-11-21T10:00:00Z" }, over)).toBe(true);
  expect(isOver({ id: 5, key: "k-2", created_at: "2026-11-21T10:00:00Z" }, over)).toBe(false);
  expect(isOver({ id: 5, created_at: "2026-11-21T10:00:00Z" }, over)).toBe(false);
});

test("one that was begun without a key is known by its id and the time it was begun", () => {
  endDraft({ ...ended, key: null });
  const over = overDrafts();
  expect(isOver({ id: 5, created_at: "2026-11-21T10:00:00Z" }, over)).toBe(true);
  expect(isOver({ id: 5, created_at: "2026-11-22T10:00:00Z" }, over)).toBe(false);
});

test("what older pages remembered, ids alone, is passed over", () => {
  endDraft(ended);
  const place = Object.keys(localStorage).find((it) => it.startsWith("drafts-over:")) ?? "";
  localStorage.setItem(place, "[1,2]");
  expect(overDrafts()).toEqual([]);
});

test("only the version that was sent is deleted, and what was changed since is left alone", async () => {
  const asked: string[] = [];
  server.use(
    http.delete("*/api/drafts", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(problem(409, "draft_changed", "Changed"), { status: 409 });
    }),
  );
  endDraft(ended);
  await deleteOver();
  expect(asked).toEqual(["?key=k-1&version=3"]);
  expect(overDrafts()).toEqual([]);
});

test("one that was never heard of may still come to be: it is remembered for an hour", async () => {
  const gone = HttpResponse.json(problem(404, "not_found", "There is no such draft"), { status: 404 });
  server.use(http.delete("*/api/drafts", () => gone.clone()));
  endDraft({ key: "k-1", id: null, created_at: null, version: 1 });
  await deleteOver(3_600_000);
  expect(overDrafts()).toHaveLength(1);
  endDraft(ended);
  await deleteOver(3_600_000);
  expect(overDrafts()).toEqual([]);
});
