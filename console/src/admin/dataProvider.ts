// THE table of the administration: a resource is an address below /dashboard/admin, and its row says by which calls it is
// read and changed. What a resource cannot do is not in its row, and asking for it fails with a sentence.
import { api, ask } from "../api/client";
import { ApiProblem } from "../api/problem";
import { providerOf, type Resource, rows, type Target } from "./resource";

/** The most that a list answers at once. */
const ALL = { page: 1, per_page: 1000 };

const text = (value: unknown) => (typeof value === "string" ? value : "");

export const RESOURCES = {
  // Announcements have one call for every change, spelt as the specification spells it.
  announcement: {
    list: (query) => ask(api.GET("/admin/get-annoucement", { params: { query } })).then(rows("Announcement")),
    one: async (id) => {
      const { Announcement } = await ask(api.GET("/admin/get-annoucement", { params: { query: ALL } }));
      const found = Announcement.find((it) => it.id === Number(id));
      if (!found) throw new ApiProblem(404, "not_found", "There is no such announcement");
      return found;
    },
    create: ({ announcement }) => manage("create", undefined, text(announcement)).then(managed),
    update: (id, { announcement }) => manage("edit", id, text(announcement)).then(managed),
    remove: (id) => manage("delete", id),
    actions: {
      activate: ({ id }: Target) => manage("activate", id),
      deactivate: ({ id }: Target) => manage("deactivate", id),
      delete: ({ id }: Target) => manage("delete", id),
    },
  },
} satisfies Record<string, Resource>;

export const dataProvider = providerOf(RESOURCES);
export type TalkdrumProvider = typeof dataProvider;

function manage(action: string, id?: unknown, announcement?: string) {
  const body = { action, announcement, ...(id === undefined ? {} : { id: Number(id) }) };
  return ask(api.POST("/admin/manage-annoucement", { body }));
}

function managed(answer: Awaited<ReturnType<typeof manage>>) {
  const [row] = answer.Announcement;
  if (!row) throw new ApiProblem(404, "not_found", "There is no such announcement");
  return row;
}
