import { expect, test } from "vitest";
import { answers, problem } from "../testing/server";
import { dataProvider } from "./dataProvider";
import { queryOf } from "./resource";

const at = "2026-11-01T08:00:00Z";
const row = { id: 3, announcement: "New rates", is_active: 1, created_at: at, updated_at: at };

test("page, order and filters go by the daemon's names, and an empty filter is none", () => {
  const asked = { pagination: { page: 2, perPage: 40 }, sort: { field: "username", order: "DESC" } };
  expect(queryOf({ ...asked, filter: { q: "ada", status: "", role: null } })).toEqual({
    page: 2,
    per_page: 40,
    sort: "username",
    order: "desc",
    q: "ada",
  });
  expect(queryOf({ sort: { field: "", order: "DESC" } })).toEqual({ page: 1, per_page: 20 });
});

test("a list answers its rows and how many there are in all", async () => {
  let asked = "";
  answers("get", "/admin/get-annoucement", { Announcement: [row], total: 41 }, 200, ({ url }) => {
    asked = new URL(url).search;
  });
  const params = {
    pagination: { page: 1, perPage: 20 },
    sort: { field: "", order: "ASC" as const },
    filter: {},
  };
  expect(await dataProvider.getList("announcement", params)).toEqual({ data: [row], total: 41 });
  expect(asked).toBe("?page=1&per_page=20");
});

test("a refusal carries the messages of the fields as react-admin's forms take them", async () => {
  const errors = [{ field: "announcement", code: "message_required", message: "Please enter a message" }];
  answers(
    "post",
    "/admin/manage-annoucement",
    problem(400, "validation", "Please enter a message", { errors }),
    400,
  );
  await expect(dataProvider.create("announcement", { data: { announcement: " " } })).rejects.toMatchObject({
    status: 400,
    message: "Please enter a message",
    body: { errors: { announcement: "Please enter a message" } },
  });
});

test("a named action calls the API with the record's id and answers its words", async () => {
  let sent: unknown;
  answers(
    "post",
    "/admin/manage-annoucement",
    { message: "done", Announcement: [row] },
    200,
    async (request) => {
      sent = await request.json();
    },
  );
  const answer = await dataProvider.act("announcement", "deactivate", { id: 3, data: undefined });
  expect(answer.message).toBe("done");
  expect(sent).toEqual({ action: "deactivate", id: 3 });
});

test("what a resource cannot do is refused with a sentence", async () => {
  await expect(dataProvider.getOne("nothing", { id: 1 })).rejects.toThrow("nothing has no one");
});
