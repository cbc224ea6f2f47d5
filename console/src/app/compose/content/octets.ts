// WAP push and vCard as octets, as the daemon writes them: their length decides pages and price.
// Invariant: as long as `core/src/content/{wap_push,vcard}.rs` write, octet for octet; the shared vectors say so.

const utf8 = new TextEncoder();
const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);

export interface Card {
  first_name: string;
  last_name: string;
  company: string;
  job_title: string;
  telephone: string;
  email: string;
}

const PREFIXES = ["https://www.", "https://", "http://www.", "http://"];
/** Pieces of a link that one octet stands for. */
const TOKENS = /\.com\/|\.edu\/|\.net\/|\.org\//;

/** The octets of a service indication: WSP header, WBXML, link and title. */
export function wapPushLength(title: string, url: string): number {
  const header = isAscii(title) ? 4 : 7;
  const prefix = PREFIXES.find((it) => url.slice(0, it.length).toLowerCase() === it) ?? "";
  const parts = url.slice(prefix.length).split(TOKENS);
  const href = 1 + parts.reduce((sum, part) => sum + inline(part), 0) + (parts.length - 1);
  // Six of the document's head, then the link; action and end of the attributes; the title; two ends.
  return header + 6 + href + 2 + inline(title) + 2;
}

/** An inline string is its octets between two more, or nothing. */
function inline(text: string): number {
  return text === "" ? 0 : utf8.encode(text).length + 2;
}

/** The octets of a card; blanks around its fields do not count. */
export function vcardLength(card: Card): number {
  const component = (text: string) => text.trim().replaceAll("\\", "\\\\").replaceAll(";", "\\;");
  return (
    "BEGIN:VCARD\r\nVERSION:2.1\r\n".length +
    property("N", `${component(card.last_name)};${component(card.first_name)}`) +
    property("ORG", component(card.company)) +
    property("TITLE", card.job_title.trim()) +
    property("TEL", card.telephone.trim()) +
    property("EMAIL", card.email.trim()) +
    "END:VCARD\r\n".length
  );
}

const LINE_MAX = 76;

/** The octets of a line with its end: plain where it may be, else quoted-printable with soft line breaks. */
function property(name: string, value: string): number {
  if (/^[ -~]*$/.test(value) && name.length + 1 + value.length <= LINE_MAX) {
    return name.length + 1 + value.length + 2;
  }
  const head = `${name}${isAscii(value) ? "" : ";CHARSET=UTF-8"};ENCODING=QUOTED-PRINTABLE:`.length;
  const bytes = utf8.encode(value);
  let total = head;
  let line = head;
  bytes.forEach((byte, at) => {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x3d;
    const length = plain || (byte === 0x20 && at + 1 < bytes.length) ? 1 : 3;
    if (line + length >= LINE_MAX) {
      total += 3;
      line = 0;
    }
    total += length;
    line += length;
  });
  return total + 2;
}
