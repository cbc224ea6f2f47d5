// A message to one number, word for word: merge fields filled for a recipient, and braces are braces.
import type { Sent } from "./content/measure";
import { fieldValue, parseTemplate, type Values } from "./content/template";
import { CARD_FIELDS, type Draft } from "./draft";

/** What the recipient with these values reads, as `POST /api/messages` takes it. */
export function singleContent(draft: Draft, sent: Sent | null, values: Values): Record<string, string> {
  if (sent) return { message: sent.text };
  if (draft.kind === "vcard") return Object.fromEntries(CARD_FIELDS.map(({ name }) => [name, draft[name]]));
  return { wap_title: filled(draft.wap_title, values), wap_url: filled(draft.wap_url, values) };
}

function filled(text: string, values: Values): string {
  return parseTemplate(text)
    .map((piece) => ("text" in piece ? piece.text : (fieldValue(piece, values) ?? `{${piece.field}}`)))
    .join("");
}
