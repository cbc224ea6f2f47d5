// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dark, FONT, light, variable } from "./tokens";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const [day = "", night = "", chosen = ""] = css.split(
  /@media \(prefers-color-scheme: dark\)|:root\[data-scheme="dark"\]/,
);

test("the style sheet has the values of the theme, by day and by night", () => {
  for (const [name, value] of Object.entries(light)) expect(day).toContain(`${variable(name)}: ${value};`);
  for (const [name, value] of Object.entries(dark)) {
    expect(night).toContain(`${variable(name)}: ${value};`);
    expect(chosen).toContain(`${variable(name)}: ${value};`);
  }
  expect(day.replace(/\s+/g, " ")).toContain(`--font: ${FONT};`);
});

function luminance(hex: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

test("every text can be read on every ground it is put on", () => {
  for (const p of [light, dark]) {
    for (const ground of [p.paper, p.surface, p.sunken]) {
      for (const text of [p.ink, p.inkSoft, p.accent, p.danger, p.warning, p.success, p.info]) {
        expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(p.lineStrong, ground), `line on ${ground}`).toBeGreaterThanOrEqual(3);
    }
    const pairs: [string, string][] = [
      [p.onAccent, p.accent],
      [p.onAccent, p.accentHover],
      [p.onDanger, p.danger],
      [p.accent, p.accentSoft],
      [p.danger, p.dangerSoft],
      [p.warning, p.warningSoft],
      [p.success, p.successSoft],
      [p.info, p.infoSoft],
    ];
    for (const [text, ground] of pairs) {
      expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

// That the files behind have them is seen in the browser (e2e/site.spec.ts).
test("the letters of Yoruba, Igbo and Hausa and the Naira sign are in a range of the face", () => {
  const ranges = [...css.matchAll(/unicode-range:([^;]+);/g)].flatMap(([, list = ""]) =>
    list.split(",").map((it) => {
      const [from = "", to = from] = it.trim().slice(2).split("-");
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    }),
  );
  for (const letter of "ẸẹỌọṢṣỊịỤụṄṅƁɓƊɗƘƙ₦\u0300\u0301\u0323") {
    const code = letter.codePointAt(0) ?? 0;
    expect(
      ranges.some(([from, to]) => from <= code && code <= to),
      letter,
    ).toBe(true);
  }
});
