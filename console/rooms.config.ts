// How the build is parted into files. A page is always opened within the frame of its room, which is loaded before it: told
// so, the build puts nothing of a frame into a file of its own for each set of pages that use it too. A page is some ten
// files then, where it was a hundred, each with its headers and packed alone.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "vite";

const SRC = join(import.meta.dirname, "src");
const AUTH = join(SRC, "app/auth/AuthLayout.tsx");
const DASHBOARD = join(SRC, "app/layout/Dashboard.tsx");
const ADMIN = join(SRC, "admin/AdminApp.tsx");

const LAZY = /import\("(\.\/[^"]+)"\)/g;
/** Files that say which pages the administration has. */
const ADMINS_ROUTES = /\/admin\/(routes\.tsx|[^/]+\/index\.ts)$/;

/** The frame of a page that src/routes.tsx names; none for a frame itself, and for the site, which has all of its own. */
function frameOf(page: string): string | null {
  if ([AUTH, DASHBOARD, ADMIN].includes(page)) return null;
  if (page.startsWith(join(SRC, "app/auth/"))) return AUTH;
  return page.startsWith(join(SRC, "app/")) ? DASHBOARD : null;
}

/** The pages that a file of routes loads. */
function pagesIn(code: string, folder: string): string[] {
  return [...code.matchAll(LAZY)].map(([, page]) => `${join(folder, page ?? "")}.tsx`);
}

/** Has each page of the build import its frame. */
export function rooms(): Plugin {
  const frames = new Map<string, string>();
  return {
    name: "rooms",
    apply: "build",
    buildStart() {
      for (const page of pagesIn(readFileSync(join(SRC, "routes.tsx"), "utf8"), SRC)) {
        const frame = frameOf(page);
        if (frame) frames.set(page, frame);
      }
    },
    transform: {
      // Before anything rewrites the imports.
      order: "pre",
      handler(code, id) {
        // The frame is read before the pages that it loads.
        if (ADMINS_ROUTES.test(id)) for (const page of pagesIn(code, dirname(id))) frames.set(page, ADMIN);
        const frame = frames.get(id);
        if (!frame) return null;
        const path = relative(dirname(id), frame);
        return { code: `${code}\nimport "${path.startsWith(".") ? path : `./${path}`}";\n`, map: null };
      },
    },
  };
}

interface Group {
  name: string;
  tags?: "$initial"[];
  test?: RegExp;
  minShareCount?: number;
  priority: number;
  includeDependenciesRecursively?: boolean;
}

/** What is put together in one file: all of the first page, what a dozen others have in common, what the lists of the
 * administration have, and icons. By trying: larger groups make light pages heavy, smaller ones make many files. */
export const GROUPS: Group[] = [
  { name: "first", tags: ["$initial"], priority: 4 },
  {
    name: "room",
    test: /\/node_modules\/(@mui|@emotion|@popperjs|stylis|react-transition-group|react-is|clsx|hoist-)|\/src\/(design|api)\//,
    minShareCount: 12,
    priority: 3,
  },
  {
    name: "icons",
    test: /\/icons-material\//,
    minShareCount: 3,
    priority: 2,
    includeDependenciesRecursively: false,
  },
  {
    name: "list",
    test: /\/node_modules\/(react-admin|ra-|lodash|inflection|query-string|diacritic|jsonexport|filter-obj|split-on|decode-uri|strict-uri|eventemitter)|\/src\/admin\/list\//,
    minShareCount: 24,
    priority: 1,
  },
];
