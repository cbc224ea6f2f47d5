// The GSM 7-bit default alphabet with its extension table (3GPP TS 23.038, section 6.2): what a text message can carry,
// and how many septets each character takes.
const DEFAULT =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENSION = "\f^{}\\[~]|€";

const WIDTHS = new Map<string, 1 | 2>([
  ...Array.from(DEFAULT, (it) => [it, 1] as const),
  ...Array.from(EXTENSION, (it) => [it, 2] as const),
]);

/** The septets a character takes; null where the alphabet has none for it. */
export function width(char: string): 1 | 2 | null {
  return WIDTHS.get(char) ?? null;
}

/** The characters of a text that the alphabet lacks, each once, in order of appearance. */
export function charsOutside(text: string): string[] {
  return [...new Set(Array.from(text).filter((char) => !WIDTHS.has(char)))];
}
