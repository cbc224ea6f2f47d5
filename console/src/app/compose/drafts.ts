// Drafts at the daemon: what is written and not sent, with its files.
import { queryOptions } from "@tanstack/react-query";
import { ApiProblem, api, asForm, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";

export type FormDraft = components["schemas"]["FormDraft"];
export type DraftFile = components["schemas"]["DraftFile"];

interface Content {
  title: string;
  fields: string;
}

/** Drafts of a form, or of all, the last changed first. */
export function draftsQuery(form?: "sms" | "call") {
  return queryOptions({
    queryKey: own("compose", "drafts", form ?? "all"),
    queryFn: async () => (await ask(api.GET("/api/drafts", { params: { query: { form } } }))).drafts,
  });
}

export function readDraft(id: number): Promise<FormDraft> {
  return ask(api.GET("/api/drafts/{id}", { params: { path: { id } } }));
}

/** The same key makes one draft, however often it is asked: one that is there already is answered as it is by now. */
export async function createDraft(form: "sms" | "call", content: Content, key: string): Promise<FormDraft> {
  return (await ask(api.POST("/api/drafts", { body: { form, key, ...content } }))).draft;
}

export async function saveDraft(id: number, version: number, content: Content): Promise<FormDraft> {
  const params = { path: { id } };
  return (await ask(api.PUT("/api/drafts/{id}", { params, body: { version, ...content } }))).draft;
}

/** Only this version of it. */
export function deleteDraft(id: number, version: number) {
  const params = { path: { id }, query: { version } };
  return ask(api.DELETE("/api/drafts/{id}", { params }));
}

/** The same of the draft that was begun with a key, also where its id was never heard of. */
export function deleteDraftOfKey(key: string, version: number) {
  return ask(api.DELETE("/api/drafts", { params: { query: { key, version } } }));
}

/** Only this draft, not another that has its id after a restore. */
export async function deleteOnly(draft: Pick<FormDraft, "key" | "created_at" | "version"> & { id: number }) {
  const { id, key, created_at, version } = draft;
  if (key) await deleteDraftOfKey(key, version);
  else if ((await readDraft(id)).created_at === created_at) await deleteDraft(id, version);
}

export function addFile(id: number, version: number, file: File) {
  const params = { path: { id } };
  const form = { version, file };
  return ask(
    api.POST("/api/drafts/{id}/files", { params, body: form as never, bodySerializer: () => asForm(form) }),
  );
}

export async function removeFile(id: number, version: number, file: number): Promise<FormDraft> {
  const params = { path: { id, file }, query: { version } };
  return (await ask(api.DELETE("/api/drafts/{id}/files/{file}", { params }))).draft;
}

/** A file as it was added: from here on the page treats it as one that was chosen. */
export async function fetchFile(
  id: number,
  { id: file, name, created_at }: DraftFile,
  signal: AbortSignal,
): Promise<File> {
  const params = { path: { id, file } };
  const blob = (await ask(
    api.GET("/api/drafts/{id}/files/{file}", { params, parseAs: "blob", signal }) as never,
  )) as Blob;
  return new File([blob], name, { type: "text/plain", lastModified: Date.parse(created_at) });
}

/** By which a draft is known, and its version. */
export function nameOf(draft: Pick<FormDraft, "id" | "key" | "created_at" | "version">) {
  const { id, key, created_at, version } = draft;
  return { id, key: key ?? null, created_at, version };
}

/** What is gone already is as good as deleted, and cannot be read. */
export function ignoreMissing(thrown: unknown): undefined {
  if (!(thrown instanceof ApiProblem && thrown.status === 404)) throw thrown;
}
