// Pictures that are kept in the repository, and what tells whether they still show what is there: compared small and in grey,
// so that times and a pixel here and there do not matter, and a page that looks different does.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, type Page } from "@playwright/test";

/** With `PICTURES=1` they are made again. */
const MAKES = process.env.PICTURES === "1";
const MOST_BYTES = 60_000;
const QUALITY = { webp: 76, jpeg: 55 };
/** Of each of the small picture's parts, in steps of 256: text of another length, a balance, a bar. */
const DIFFERS = 40;
/** How many parts of a hundred may differ so. */
const DIFFERENT_MOST = 4;

export async function keepPicture(page: Page, file: string, format: "webp" | "jpeg" = "webp"): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format, quality: QUALITY[format] });
  await session.detach();
  if (MAKES) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(data, "base64"));
  }
  expect(existsSync(file), `${file} is missing: make it by PICTURES=1`).toBe(true);
  const kept = readFileSync(file);
  expect(kept.length, `${file} is too large`).toBeLessThan(MOST_BYTES);
  const blank = await page.context().newPage();
  try {
    const share = await blank.evaluate(different, {
      a: `data:image/${format};base64,${data}`,
      b: `data:image/${format};base64,${kept.toString("base64")}`,
      differs: DIFFERS,
    });
    expect(share, `${file} no longer shows what is there: make it again by PICTURES=1`).toBeLessThanOrEqual(
      DIFFERENT_MOST,
    );
  } finally {
    await blank.close();
  }
}

/** How many of a hundred parts differ; all where the sizes do. */
async function different({ a, b, differs }: { a: string; b: string; differs: number }): Promise<number> {
  const small = async (source: string) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 64;
    canvas.height = 40;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("There is no canvas");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const grey = Array.from({ length: data.length / 4 }, (_, at) =>
      Math.round(0.3 * (data[4 * at] ?? 0) + 0.59 * (data[4 * at + 1] ?? 0) + 0.11 * (data[4 * at + 2] ?? 0)),
    );
    return { grey, size: `${image.naturalWidth}x${image.naturalHeight}` };
  };
  const [one, other] = [await small(a), await small(b)];
  if (one.size !== other.size) return 100;
  const many = one.grey.filter((value, at) => Math.abs(value - (other.grey[at] ?? 0)) > differs).length;
  return (100 * many) / one.grey.length;
}

/** A text that the command line wrote, as a picture of letters; what differs each time must be taken out before. */
export function keepTerminal(file: string, lines: readonly string[], night: boolean): void {
  const picture = terminal(lines, night);
  if (MAKES) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
  }
  expect(existsSync(file), `${file} is missing: make it by PICTURES=1`).toBe(true);
  expect(
    readFileSync(file, "utf8"),
    `${file} no longer shows what is printed: make it again by PICTURES=1`,
  ).toBe(picture);
}

const LETTER = 8.43;
const LINE = 20;

function terminal(lines: readonly string[], night: boolean): string {
  const [ground, bar, ink, soft, accent] = night
    ? ["#0b100e", "#18201c", "#edf1ee", "#a9b5ae", "#6fd3ab"]
    : ["#ffffff", "#f2efe7", "#17211c", "#55605a", "#0b5d44"];
  const width = Math.ceil(Math.max(...lines.map((it) => it.length)) * LETTER) + 48;
  const height = lines.length * LINE + 72;
  const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const texts = lines.map((line, at) => {
    const fill = line.startsWith("$ ") ? accent : ink;
    const weight = line.startsWith("$ ") ? ' font-weight="600"' : "";
    return `<text x="24" y="${62 + at * LINE}" fill="${fill}"${weight} xml:space="preserve">${escaped(line)}</text>`;
  });
  const dots = [0, 1, 2].map(
    (at) => `<circle cx="${24 + at * 18}" cy="18" r="5.5" fill="${soft}" opacity="0.45"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A send in the terminal" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${ground}" stroke="${soft}" stroke-opacity="0.35"/>`,
    `<path d="M1 36V10.5A9.5 9.5 0 0 1 10.500 1H${width - 10.5}a9.500 9.500 0 0 1 9.500 9.500V36z" fill="${bar}"/>`,
    ...dots,
    ...texts,
    "</svg>",
    "",
  ].join("\n");
}
