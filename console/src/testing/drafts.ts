// Drafts as the daemon keeps them, for unit tests of the forms: versions, files, and refusals of what is of another version.
import { HttpResponse, http } from "msw";
import { CHECK } from "./quote";
import { signedIn } from "./render";
import { answers, problem, server } from "./server";

interface Kept {
  id: number;
  form: string;
  title: string;
  fields: string;
  version: number;
  key?: string;
  files: { id: number; name: string; content: Blob }[];
}

export type DraftDaemon = ReturnType<typeof draftDaemon>;

export function draftDaemon() {
  const drafts = new Map<number, Kept>();
  let last = 0;
  let missed = 0;
  const refusal: { status: number; code: string; message: string } = { status: 0, code: "", message: "" };
  const shown = ({ files, ...draft }: Kept) => ({
    ...draft,
    files: files.map(({ id, name, content }) => ({
      id,
      name,
      bytes: content.size,
      created_at: "2026-11-21T10:00:00Z",
    })),
    created_at: "2026-11-21T10:00:00Z",
    updated_at: "2026-11-21T11:00:00Z",
  });
  const missing = () =>
    HttpResponse.json(problem(404, "not_found", "There is no such draft"), { status: 404 });
  const changed = () =>
    HttpResponse.json(problem(409, "draft_changed", "This draft was changed elsewhere"), { status: 409 });
  const saved = (draft: Kept, more: object = {}) =>
    HttpResponse.json({ message: "", draft: shown(draft), ...more });
  server.use(
    // The forms ask for these, too; a test that has some says so afterwards.
    http.get("*/api/rates", () => HttpResponse.json({ rates: [], total: 0, version: "" })),
    http.get("*/api/drafts", () => HttpResponse.json({ drafts: [...drafts.values()].map(shown).reverse() })),
    http.post("*/api/drafts", async ({ request }) => {
      const body = (await request.json()) as { form: string; title: string; fields: string; key?: string };
      const before = [...drafts.values()].find((it) => body.key && it.key === body.key);
      if (before) return saved(before);
      last += 1;
      const draft = { id: last, version: 1, files: [], ...body };
      drafts.set(draft.id, draft);
      return saved(draft);
    }),
    http.delete("*/api/drafts", ({ request }) => {
      const query = new URL(request.url).searchParams;
      const draft = [...drafts.values()].find((it) => it.key === query.get("key"));
      if (draft && String(draft.version) !== query.get("version")) return changed();
      if (draft && drafts.delete(draft.id)) return HttpResponse.json({ message: "" });
      missed += 1;
      return missing();
    }),
    http.get("*/api/drafts/:id", ({ params }) => {
      const draft = drafts.get(Number(params.id));
      return draft ? HttpResponse.json(shown(draft)) : missing();
    }),
    http.put("*/api/drafts/:id", async ({ request, params }) => {
      const body = (await request.json()) as { version: number; title: string; fields: string };
      const draft = drafts.get(Number(params.id));
      if (!draft) return missing();
      if (draft.version !== body.version) return changed();
      Object.assign(draft, body, { version: body.version + 1 });
      return saved(draft);
    }),
    http.delete("*/api/drafts/:id", ({ request, params }) => {
      const version = new URL(request.url).searchParams.get("version");
      const draft = drafts.get(Number(params.id));
      if (draft && version && String(draft.version) !== version) return changed();
      if (drafts.delete(Number(params.id))) return HttpResponse.json({ message: "" });
      missed += 1;
      return missing();
    }),
    http.post("*/api/drafts/:id/files", async ({ request, params }) => {
      const form = await request.formData();
      const draft = drafts.get(Number(params.id));
      if (refusal.status) {
        return HttpResponse.json(problem(refusal.status, refusal.code, refusal.message), {
          status: refusal.status,
        });
      }
      if (!draft) return missing();
      if (String(draft.version) !== form.get("version")) return changed();
      const file = form.get("file") as File;
      last += 1;
      draft.files.push({ id: last, name: file.name, content: new Blob([await file.arrayBuffer()]) });
      draft.version += 1;
      return saved(draft, { file_id: last });
    }),
    http.get("*/api/drafts/:id/files/:file", async ({ params }) => {
      const file = drafts.get(Number(params.id))?.files.find((it) => String(it.id) === params.file);
      return file ? HttpResponse.arrayBuffer(await file.content.arrayBuffer()) : missing();
    }),
    http.delete("*/api/drafts/:id/files/:file", ({ request, params }) => {
      const draft = drafts.get(Number(params.id));
      if (!draft) return missing();
      if (String(draft.version) !== new URL(request.url).searchParams.get("version")) return changed();
      draft.files = draft.files.filter((it) => String(it.id) !== params.file);
      draft.version += 1;
      return saved(draft);
    }),
  );
  return {
    drafts,
    /** How often a draft was to be deleted that is not there. */
    missed: () => missed,
    /** Refuses every file from now on. */
    refuseFiles: (status: number, code: string, message: string) =>
      void Object.assign(refusal, { status, code, message }),
  };
}

/** All that the form of a message asks for, without senders, groups and prices; its drafts are kept. */
export function composing(): DraftDaemon {
  signedIn();
  answers("get", "/api/get-sender-id", { senderId: [], total: 0 });
  answers("get", "/api/get/group", { groups: [], total: 0 });
  answers("get", "/api/get-sms-unit-price", { "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [] });
  answers("get", "/api/get-espee-balance", { "espees-balance": 5, espees_reserved: 0, paystack_balance: 0 });
  answers("post", "/api/recipients/check", CHECK);
  return draftDaemon();
}
