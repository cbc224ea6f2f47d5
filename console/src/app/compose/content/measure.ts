// What one message is billed (pages) and sent (segments), counted in the page as the daemon counts it.
// Invariant: equal to `core/src/content`, which the shared vectors prove; what is charged is the daemon's quote.
import { charsOutside, width } from "./gsm7";
import { lineFeeds, type Replacement, replaceLookalikes } from "./lookalike";
import { type Card, vcardLength, wapPushLength } from "./octets";
import { fieldValue, parseTemplate, type Values } from "./template";

export type Kind = "text" | "flash" | "unicode" | "wap-push" | "vcard";
export type Encoding = "gsm7" | "ucs2" | "binary";

export const PAGES_MAX = 6;

/** Units of a single page and of each of several; then the same of a segment. */
const ROOM = {
  gsm7: { page: [156, 156], segment: [160, 153] },
  ucs2: { page: [70, 67], segment: [70, 67] },
  binary: { page: [140, 128], segment: [133, 128] },
} as const satisfies Record<Encoding, { page: [number, number]; segment: [number, number] }>;

export interface Measured {
  encoding: Encoding;
  /** Septets, UTF-16 units or octets. */
  units: number;
  /** 0 while there is nothing. */
  pages: number;
  segments: number;
  /** Units that still fit on the page begun. */
  left: number;
  /** The units of a page: 156 of text. */
  page: number;
  tooLong: boolean;
}

export interface Sent extends Measured {
  /** What is read on the telephone. */
  text: string;
  replacements: Replacement[];
  /** What the message cannot carry, each once: characters outside the alphabet, control characters of unicode. */
  refused: string[];
  /** Merge fields without a value or default. */
  missing: string[];
}

export function encodingOf(kind: Kind): Encoding {
  if (kind === "unicode") return "ucs2";
  return kind === "text" || kind === "flash" ? "gsm7" : "binary";
}

/** A text, flash or unicode message, its fields filled from `values`. */
export function measureText(kind: Kind, message: string, values: Values = {}): Sent {
  const encoding = encodingOf(kind);
  const replacements = new Map<string, Replacement>();
  const missing: string[] = [];
  // Stretch by stretch, as the daemon does: a mark never reaches back from a value into the text before it.
  const stretches = parseTemplate(lineFeeds(message)).map((piece) => {
    const text = "text" in piece ? piece.text : fieldValue(piece, values);
    if (text === null) {
      if ("field" in piece) missing.push(piece.field);
      return "field" in piece ? `{${piece.field}}` : "";
    }
    if (encoding === "ucs2") return lineFeeds(text);
    const clean = replaceLookalikes(text);
    for (const { from, to, count } of clean.replacements) {
      const known = replacements.get(from);
      replacements.set(from, { from, to, count: count + (known?.count ?? 0) });
    }
    return clean.text;
  });
  const text = stretches.join("");
  const units = unitsOf(encoding, text);
  return {
    ...measured(
      encoding,
      units.reduce((sum, it) => sum + it, 0),
      units,
    ),
    text,
    replacements: [...replacements.values()],
    refused: encoding === "gsm7" ? charsOutside(text) : controls(text),
    missing,
  };
}

export function measureWapPush(title: string, url: string): Measured {
  if (!title.trim() && !url.trim()) return measured("binary", 0);
  return measured("binary", wapPushLength(title.trim(), url.trim()));
}

export function measureVcard(card: Card): Measured {
  const { first_name, last_name, company, job_title, telephone, email } = card;
  const fields = { first_name, last_name, company, job_title, telephone, email };
  if (Object.values(fields).every((value) => value.trim() === "")) return measured("binary", 0);
  return measured("binary", vcardLength(fields));
}

function controls(text: string): string[] {
  return [...new Set(text.match(/[^\P{Cc}\n\t]/gu))];
}

/** The units of each character. */
function unitsOf(encoding: Encoding, text: string): number[] {
  return Array.from(text, (char) => (encoding === "ucs2" ? char.length : (width(char) ?? 1)));
}

function measured(encoding: Encoding, units: number, chars?: readonly number[]): Measured {
  const [single, each] = ROOM[encoding].page;
  const pages = units === 0 ? 0 : units <= single ? 1 : Math.ceil(units / each);
  const room = pages <= 1 ? single : pages * each;
  return {
    encoding,
    units,
    pages,
    segments: segmentsOf(encoding, units, chars),
    left: Math.max(0, Math.min(room, each * PAGES_MAX) - units),
    page: pages <= 1 ? single : each,
    tooLong: pages > PAGES_MAX,
  };
}

/** No cut falls inside an escape sequence or a surrogate pair. */
function segmentsOf(encoding: Encoding, units: number, chars?: readonly number[]): number {
  const [single, each] = ROOM[encoding].segment;
  if (units <= single) return units === 0 ? 0 : 1;
  if (!chars) return Math.ceil(units / each);
  let segments = 1;
  let used = 0;
  for (const char of chars) {
    if (used + char > each) {
      segments += 1;
      used = 0;
    }
    used += char;
  }
  return segments;
}
