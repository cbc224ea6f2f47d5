// The imports between the files of src/, read with TypeScript's own parser, and the circles among them.
//
// Every form counts: `import`, `import type`, `export ... from`, `import()` and `import("...").Type`. A type that is
// imported costs nothing when the page loads, but a reader of one file in a circle has to read them all.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** From a file to the files it imports, both as paths below the root with `/`. Packages are left out. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Reads all `.ts` and `.tsx` below `root`. Throws where a relative import leads to no file: the graph would be short of it. */
export function readImports(root: string): Imports {
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
    .sort();
  return new Map(
    sources.map((path) => {
      const targets = specifiersOf(path, readFileSync(join(root, path), "utf8"))
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => resolve(root, path, specifier));
      return [path, [...new Set(targets)].filter((target) => target !== null)];
    }),
  );
}

/** What a source imports, as it is written there. */
export function specifiersOf(path: string, source: string): string[] {
  const found: string[] = [];
  const take = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteralLike(node)) found.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) take(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) take(node.argument.literal);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return found;
}

/** The file behind a relative import; null for one outside of `root`, such as a script. */
function resolve(root: string, from: string, specifier: string): string | null {
  const path = normalize(join(dirname(from), specifier)).replaceAll("\\", "/");
  if (path.startsWith("../")) return null;
  const endings = ["", ".ts", ".tsx", ".d.ts", "/index.ts", "/index.tsx"];
  const found = endings.map((ending) => path + ending).find((it) => isFile(join(root, it)));
  if (!found) throw new Error(`${from} imports ${specifier}, which is no file`);
  return found;
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/**
 * The circles: for every file that reaches itself the shortest way round and back, as `[a, b, a]`. Files that share
 * their shortest way share its line, which begins with the first of them by name.
 */
export function circlesOf(imports: Imports): string[][] {
  const found = new Map<string, string[]>();
  for (const file of imports.keys()) {
    const round = shortestRound(imports, file);
    if (!round) continue;
    const at = round.indexOf([...round].sort()[0] ?? file);
    const circle = [...round.slice(at), ...round.slice(0, at), round[at] ?? file];
    found.set(circle.join("\n"), circle);
  }
  return [...found.keys()].sort().map((key) => found.get(key) ?? []);
}

/** Breadth first from a file back to it, without its return; null where no way leads back. */
function shortestRound(imports: Imports, start: string): string[] | null {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const target of imports.get(way.at(-1) ?? start) ?? []) {
      if (target === start) return way;
      if (seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return null;
}
