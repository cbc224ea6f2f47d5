// The counter against the daemon's vectors. `vectors.json` is what the daemon's own tests read; `content.json` has
// what its quotes answered (scripts/vectors.mjs rewrites it), with WAP push, vCard and merge fields.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replaceLookalikes } from "./lookalike";
import { type Kind, type Measured, measureText, measureVcard, measureWapPush } from "./measure";
import type { Card } from "./octets";
import { fieldsOf, parseTemplate } from "./template";

const CORE = `${process.cwd()}/../core`;
const read = <T>(path: string) => JSON.parse(readFileSync(`${CORE}/${path}`, "utf8")) as T[];

interface Vector {
  name: string;
  kind: Kind;
  text: string;
  sent?: string;
  error?: string;
  encoding: string;
  units: number;
  pages: number;
  segments: number;
}

test.each(read<Vector>("src/content/vectors.json"))("$name", (vector) => {
  const found = measureText(vector.kind, vector.text);
  if (vector.error) {
    const error = found.refused.length
      ? vector.kind === "unicode"
        ? "control_character"
        : "not_gsm7"
      : found.tooLong
        ? "message_too_long"
        : found.text.trim() === "" && "message_required";
    expect(error).toBe(vector.error);
    return;
  }
  expect(found).toMatchObject({
    encoding: vector.encoding,
    units: vector.units,
    pages: vector.pages,
    segments: vector.segments,
    refused: [],
  });
  if (vector.sent !== undefined) expect(found.text).toBe(vector.sent);
});

interface Quoted {
  name: string;
  kind: Kind;
  message?: string;
  wap_title?: string;
  wap_url?: string;
  card?: Card;
  values?: Record<string, string>;
  quote: { encoding: string; pages: number; segments: number; message: string; replacements: object[] };
}

test.each(read<Quoted>("tests/vectors/content.json"))("the daemon's quote of $name", (it) => {
  const { quote } = it;
  const expected = { encoding: quote.encoding, pages: quote.pages, segments: quote.segments };
  if (it.card) return expect(measureVcard(it.card)).toMatchObject(expected);
  if (it.kind === "wap-push") {
    return expect(measureWapPush(it.wap_title ?? "", it.wap_url ?? "")).toMatchObject(expected);
  }
  const found = measureText(it.kind, it.message ?? "", it.values);
  expect(found).toMatchObject({ ...expected, text: quote.message, refused: [], missing: [] });
  if (!it.values) expect(found.replacements).toEqual(quote.replacements);
});

test("what is left on a page is counted from 156", () => {
  const left = (text: string) => {
    const { left, pages } = measureText("text", text) satisfies Measured;
    return [left, pages];
  };
  expect(left("")).toEqual([156, 0]);
  expect(left("a".repeat(156))).toEqual([0, 1]);
  expect(left("a".repeat(157))).toEqual([155, 2]);
  expect(left("a".repeat(937))).toEqual([0, 7]);
});

test("a mark that follows a merge field does not reach into its value", () => {
  expect(measureText("text", "{name}\u0301s", { name: "cafe" }).text).toBe("cafes");
});

test("what would change an amount is kept", () => {
  for (const text of ["1½", "10²", "30°", "¢5", "µ", "＿"]) {
    const { replacements } = replaceLookalikes(text);
    expect(replacements).toHaveLength(text === "＿" ? 1 : 0);
  }
});

test("merge fields are found as the daemon finds them", () => {
  expect(fieldsOf("{B} {a|x} {b} {{c}} { d } {} {!?} {-} {e\n}")).toEqual(["b", "a", "d"]);
  expect(fieldsOf("{due date} {Due_Date} { DUE  DATE |soon} {due-date}")).toEqual(["due_date", "due-date"]);
  expect(fieldsOf("{Amount (NGN)} {a.b} {_id}")).toEqual(["amount_ngn", "a_b", "id"]);
  expect(fieldsOf("{Prénom} {Ọjà} {order-no_2}")).toEqual(["prénom", "ọjà", "order-no_2"]);
  expect(parseTemplate("a {{b}} {{{name}}} {")).toEqual([
    { text: "a {b} {" },
    { field: "name", fallback: null },
    { text: "} {" },
  ]);
});
