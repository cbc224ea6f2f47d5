// Merge fields: `{name}` and `{name|default}` in a message, `{{` and `}}` for braces. As the daemon finds them
// (`core/src/content/template.rs`): what is no field is text.
export type Piece = { text: string } | { field: string; fallback: string | null };

/** Values by field name, as `fieldKey` has it. */
export type Values = Readonly<Record<string, string>>;

const FIELD = /^\{([^{}|\n\r]*)(?:\|([^{}\n\r]*))?\}/;
const NAME_MAX = 64;

/** The title of a column, or the name in a field, as the two are compared: case, spaces and underscores do not matter. */
export function fieldKey(title: string): string {
  const key = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}-]+/gu, "_")
    .replace(/^_|_$/g, "");
  return /^-*$/.test(key) ? "" : key;
}

export function parseTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = "";
  let at = 0;
  const flush = () => {
    if (literal) pieces.push({ text: literal });
    literal = "";
  };
  while (at < text.length) {
    const next = text.slice(at).search(/[{}]/);
    if (next < 0) break;
    literal += text.slice(at, at + next);
    at += next;
    const rest = text.slice(at);
    const found = FIELD.exec(rest);
    const title = found?.[1]?.trim() ?? "";
    const name = [...title].length <= NAME_MAX ? fieldKey(title) : "";
    if (rest.startsWith("{{") || rest.startsWith("}}")) {
      literal += rest.charAt(0);
      at += 2;
    } else if (found && name) {
      flush();
      pieces.push({ field: name, fallback: found[2]?.trim() ?? null });
      at += found[0].length;
    } else {
      literal += rest.charAt(0);
      at += 1;
    }
  }
  literal += text.slice(at);
  flush();
  return pieces;
}

/** The names of the fields, each once. */
export function fieldsOf(text: string): string[] {
  return [...new Set(parseTemplate(text).flatMap((piece) => ("field" in piece ? [piece.field] : [])))];
}

/** A value for a field; null where there is neither one nor a default: a blank one counts as missing. */
export function fieldValue(piece: { field: string; fallback: string | null }, values: Values): string | null {
  const value = values[piece.field];
  return value?.trim() ? value : piece.fallback;
}
