// The operator's handbook as pages below /handbook: daemon/handbook/*.md, made HTML when the pages are built. marked with its
// headings of GitHub, because the pages' anchors are read on GitHub too; both are kept up, and bring nothing with them.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Marked } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import type { Plugin } from "vite";

const HANDBOOK = join(import.meta.dirname, "../daemon/handbook");
const STYLES = ["src/design/tokens.css", "handbook.css"];
const MAP = "index";
/** What is no file of the source: an address, or a heading of the page itself. */
const ELSEWHERE = /^(https?:\/\/|mailto:|#)/;

/** Where a link of a page leads on the served pages; null for a file that only the source and the package have. */
export function addressOf(link: string): string | null {
  if (ELSEWHERE.test(link)) return link;
  const [, page, anchor = ""] = /^([a-z0-9-]+)\.md(#.*)?$/i.exec(link) ?? [];
  return page ? `/handbook/${page}.html${anchor}` : null;
}

/** A page in full. */
export function pageOf(name: string, markdown: string): string {
  const marked = new Marked(gfmHeadingId());
  marked.use({
    renderer: {
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href);
        if (address) return `<a href="${address}">${text}</a>`;
        return `${text} (<code>${posix.join("daemon/handbook", href.replace(/#.*$/, ""))}</code>)`;
      },
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
  // What is wider than a phone scrolls by itself, by key too.
  const body = marked
    .parse(markdown, { async: false })
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  const map = name === MAP ? "" : '<a href="/handbook/index.html">Handbook</a>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Talkdrum handbook</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/handbook/style.css">
</head>
<body>
<header><a href="/">Talkdrum</a>${map}</header>
<main>
${body}</main>
<footer>Files in brackets are in the source and, where the Debian package is installed, below <code>/usr/share/doc/talkdrum</code>.</footer>
</body>
</html>
`;
}

/** A style sheet; without the fonts, which the pages of the console load from their own files. */
function styles(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8").replace(/@font-face \{[^}]*\}/g, "");
}

/** Puts the handbook into the build. */
export function handbook(): Plugin {
  return {
    name: "handbook",
    apply: "build",
    generateBundle() {
      const emit = (name: string, source: string) =>
        this.emitFile({ type: "asset", fileName: `handbook/${name}`, source });
      for (const file of readdirSync(HANDBOOK).filter((it) => it.endsWith(".md"))) {
        const name = file.replace(/\.md$/, "");
        emit(`${name}.html`, pageOf(name, readFileSync(join(HANDBOOK, file), "utf8")));
      }
      emit("style.css", STYLES.map(styles).join("\n"));
    },
  };
}
