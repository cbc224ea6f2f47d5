// The layers of src/, from the top: each imports only what stands below it.
//
//   main, routes, Root       put the rooms together
//   site   app   admin       rooms: none knows another
//   design                   tokens, theme, primitives, words that every room shows alike
//   api                      the daemon's types, the client, problems
//
// A folder of app/ and of admin/ is a feature, and features do not know each other. What several features of admin/ need
// stands below them in its shared folders or beside them as a file. testing/ is for tests and sees everything.
// @vitest-environment node
import { join } from "node:path";
import { expect, test } from "vitest";
import { circlesOf, readImports, specifiersOf } from "./imports";

const ROOMS = ["site", "app", "admin"];
/** What each layer may import beside itself. Files at the top and testing/ may import anything. */
const BELOW: Record<string, readonly string[]> = {
  site: ["design", "api"],
  app: ["design", "api"],
  admin: ["design", "api"],
  design: ["api"],
  api: [],
};
/** Folders of admin/ that are below its features: how pages are framed, lists are shown and forms are sent. */
const SHARED = ["admin/layout", "admin/list", "admin/form"];
/** Files of admin/ that put its features together. All others of them are below the features. */
const ASSEMBLY = ["admin/AdminApp.tsx", "admin/routes.tsx", "admin/routes.test.ts"];

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith("testing/");

function layerOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

/** `admin/users` for a file of that feature; null for a file of none. */
function featureOf(path: string): string | null {
  const [room = "", folder = "", file] = path.split("/");
  if (!["app", "admin"].includes(room) || file === undefined) return null;
  const feature = `${room}/${folder}`;
  return SHARED.includes(feature) ? null : feature;
}

/** Why a file may not import another; null where it may. */
function objection(from: string, to: string): string | null {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (target === "testing") return isTest(from) ? null : "only tests use testing/";
  if (layer === "" || layer === "testing") return null;
  if (layer !== target) {
    if (BELOW[layer]?.includes(target)) return null;
    return ROOMS.includes(layer) && ROOMS.includes(target)
      ? "rooms do not know each other: move it to design/"
      : `${layer}/ is not above ${target ? `${target}/` : "the files that put the rooms together"}`;
  }
  const [feature, other] = [featureOf(from), featureOf(to)];
  if (ASSEMBLY.includes(from)) return null;
  if (ASSEMBLY.includes(to)) return "it puts features together, and is above them";
  if (other === null || other === feature) return null;
  return feature === null ? `it is below ${other}` : `features do not know each other: move it below both`;
}

const imports = readImports(join(import.meta.dirname, ".."));

test("no file imports itself by way of others", () => {
  expect(circlesOf(imports).map((circle) => circle.join(" -> "))).toEqual([]);
});

test("every folder is a layer", () => {
  const folders = new Set([...imports.keys()].map(layerOf));
  expect([...folders].sort()).toEqual(["", ...Object.keys(BELOW), "testing"].sort());
});

test("files import only what stands below them", () => {
  const forbidden = [...imports].flatMap(([from, targets]) =>
    targets.flatMap((to) => {
      const why = objection(from, to);
      return why ? [`${from} -> ${to}: ${why}`] : [];
    }),
  );
  expect(forbidden).toEqual([]);
});

test("the parser finds every form of import, and nothing in texts and comments", () => {
  const source = [
    `import a, { type A } from "./a";`,
    `import type { B } from "./b";`,
    `import "./c.css";`,
    `export * from "./d";`,
    `const page = lazy(() => import("./e"));`,
    `type F = import("./f").F;`,
    `// import "./comment"`,
    `const text = 'import "./text"';`,
    `const view = <p>import("./jsx")</p>;`,
  ].join("\n");
  expect(specifiersOf("x.tsx", source)).toEqual(["./a", "./b", "./c.css", "./d", "./e", "./f"]);
});

test("a circle is shown by its shortest way round, and once", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["c"]],
    ["c", ["d"]],
    ["d", ["a"]],
    ["e", ["a", "e"]],
    ["f", []],
  ]);
  expect(circlesOf(graph)).toEqual([
    ["a", "b", "c", "d", "a"],
    ["a", "c", "d", "a"],
    ["e", "e"],
  ]);
});

test.each([
  ["api/client.ts", "design/toasts.tsx"],
  ["design/Pager.tsx", "app/money/history.ts"],
  ["design/Pager.tsx", "routes.tsx"],
  ["site/About.tsx", "app/home/Home.tsx"],
  ["app/home/Home.tsx", "admin/routes.tsx"],
  ["app/home/Home.tsx", "app/money/history.ts"],
  ["admin/users/UserPage.tsx", "admin/wallet/Assign.tsx"],
  ["admin/users/index.ts", "admin/routes.tsx"],
  ["admin/list/cells.tsx", "admin/users/UserList.tsx"],
  ["admin/action.tsx", "admin/users/UserList.tsx"],
  ["app/home/Home.tsx", "testing/render.tsx"],
  ["app/home/Home.test.tsx", "app/money/history.ts"],
  ["helpers/text.ts", "api/client.ts"],
])("%s may not import %s", (from, to) => {
  expect(objection(from, to)).not.toBeNull();
});
