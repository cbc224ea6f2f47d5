// Look-alikes: characters outside GSM-7 that a plain one stands for, replaced as the daemon replaces them.
// Invariant: the shared vectors and `core/src/content/lookalike.rs` say the same; a replacement never changes a number
// or an amount (`½` stays, for the alphabet to refuse).
import { width } from "./gsm7";

export interface Replacement {
  from: string;
  /** Empty where the character was invisible and is left out. */
  to: string;
  count: number;
}

/** A text with its look-alikes replaced and its line ends made line feeds, and what was replaced. */
export function replaceLookalikes(text: string): { text: string; replacements: Replacement[] } {
  const out: string[] = [];
  const found = new Map<string, Replacement>();
  const note = (from: string, to: string) => {
    const known = found.get(from);
    if (known) known.count += 1;
    else found.set(from, { from, to, count: 1 });
  };
  for (const char of lineFeeds(text)) {
    const mark = COMBINING.test(char);
    const to = mark ? null : standsFor(char);
    if (width(char) !== null) out.push(char);
    else if (mark) {
      const composed = COMPOSED.get(`${out.at(-1) ?? ""}${char}`);
      if (composed) out[out.length - 1] = composed;
      else note(char, "");
    } else if (to === null) out.push(char);
    else {
      // Character by character, as a mark that follows belongs to the last of them.
      out.push(...to);
      note(char, to);
    }
  }
  return { text: out.join(""), replacements: [...found.values()] };
}

export function lineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

const COMBINING = /[\u0300-\u036f]/;

/** Letters with a mark that GSM-7 has as one character. */
const COMPOSED = new Map(
  Array.from("àèìòùéÉñÑäÄöÖüÜåÅÇ", (letter) => [letter.normalize("NFD"), letter] as const),
);

const TABLE = new Map<string, string>();
const stand = (to: string, ...from: string[]) => {
  for (const group of from) for (const char of group) TABLE.set(char, to);
};
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join("");

stand("'", "‘’‚‛′‵ʹʻʼʽˈ´`‹›｀");
stand('"', "“”„‟″‶ʺ«»〝〞");
stand("-", "‐‑‒–—―⁃−﹘﹣");
stand("...", "…");
stand("..", "‥");
stand(".", "․·‧∙。");
stand(",", "、");
stand("*", "•‣◦●▪∗★☆");
stand("/", "⁄∕");
stand("|", "¦∣");
stand(":", "∶");
stand("~", "˜∼");
stand("^", "ˆ");
stand("_", "‗");
stand("!!", "‼");
stand("??", "⁇");
stand(" ", "\t\u00a0\u1680\u202f\u205f\u3000", range(0x2000, 0x200a));
stand("\n", "\u000b\u0085\u2028\u2029");
stand("", "\u00ad\ufeff", range(0x200b, 0x200f), range(0x202a, 0x202e), range(0x2060, 0x2064));
stand("", range(0x2066, 0x206f), range(0xfe00, 0xfe0f));
for (const [from, to] of Object.entries({
  "₦": "N",
  "₤": "£",
  "￡": "£",
  "￥": "¥",
  "×": "x",
  "≤": "<=",
  "≥": ">=",
  "→": "->",
  "←": "<-",
  "©": "(c)",
  "®": "(R)",
  "™": "(TM)",
  "№": "No",
  "∆": "Δ",
  "∑": "Σ",
  "∏": "Π",
  "\u2126": "Ω",
  "\ufb00": "ff",
  "\ufb01": "fi",
  "\ufb02": "fl",
  "\ufb03": "ffi",
  "\ufb04": "ffl",
  "\ufb05": "st",
  "\ufb06": "st",
  Œ: "OE",
  œ: "oe",
  Ĳ: "IJ",
  ĳ: "ij",
  ẞ: "ß",
  ŉ: "'n",
  ɓ: "b",
  ɗ: "d",
  "\u212a": "K",
  "\u212b": "Å",
})) {
  TABLE.set(from, to);
}
// Greek capitals that look Latin.
Array.from("ΑΒΕΖΗΙΚΜΝΟοΡΤΥΧ").forEach((greek, at) => {
  TABLE.set(greek, "ABEZHIKMNOoPTYX".charAt(at));
});

/** Plain letters by code point from `first` on; `_` where there is none. */
const PLAIN: [first: number, letters: string][] = [
  [0xff01, `${range(0x21, 0x5f)}'${range(0x61, 0x7e)}`],
  [0xc0, "AAAAAA_CEEEEIIIIDNOOOOO__UUUUY__aaaaaa_ceeeeiiiidnooooo__uuuuy_y"],
  [
    0x100,
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi__JjKkkLlLlLlLlLlNnNnNn___OoOoOo__RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs",
  ],
  [
    0x180,
    "bB_____Cc_D______FfG___IKkl__Nn_Oo__Pp_____tTtTUu_VYyZz______________________AaIiOoUuUuUuUuUu_AaAa__GgGgKkOoOo__j___Gg__NnAa____AaAaEeEeIiIiOoOoRrRrUuUuSsTt__Hh______AaEeOoOoOoOoYy____________________________",
  ],
  [
    0x1e00,
    "AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwya_____AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEeEeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy______",
  ],
];

/** What stands for a character; null when nothing fairly does. */
function standsFor(char: string): string | null {
  const known = TABLE.get(char);
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  for (const [first, letters] of PLAIN) {
    const letter = code >= first ? letters[code - first] : undefined;
    if (letter !== undefined) return letter === "_" && first !== 0xff01 ? null : letter;
  }
  return null;
}
