// A file on its way to the daemon. It is sent as it is, never parsed here; the daemon answers at once with an import to
// watch, whatever the size.
import { api, asForm, ask } from "../../api/client";
import type { components } from "../../api/schema";
import type { OptOutReach } from "../../design/purpose";
import type { Mapping } from "./filePreview";

export type Target = "new" | "group" | "opt-outs";

export interface Upload {
  file: File;
  target: Target;
  group: number;
  name: string;
  description: string;
  note: string;
  /** Which messages opt-outs end. */
  reach: OptOutReach;
  columns: Mapping;
}

type ImportForm = components["schemas"]["ImportForm"];
type ImportAnswer = components["schemas"]["ImportAnswer"];

export function importFile(upload: Upload, key: string): Promise<ImportAnswer> {
  const { file, target, group, name, description, note, reach, columns } = upload;
  const body: ImportForm = { ...columns, file };
  const rest = { bodySerializer: asForm, headers: { "Idempotency-Key": key } };
  const query = { background: "1" };
  if (target === "group") {
    return ask(
      api.POST("/api/import/contact/group/{id}", { params: { path: { id: group }, query }, body, ...rest }),
    );
  }
  if (target === "opt-outs") {
    return ask(
      api.POST("/api/optouts/import", { params: { query }, body: { ...body, note, reach }, ...rest }),
    );
  }
  return ask(
    api.POST("/api/import/contacts/new/group", {
      params: { query },
      body: { ...body, group_name: name.trim(), description },
      ...rest,
    }),
  );
}
