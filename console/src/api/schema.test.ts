// The types are those of the daemon in this tree.
// @vitest-environment node
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("schema.d.ts is what `npm run types` writes", async () => {
  // @ts-expect-error a script, without types
  const { generate } = (await import("../../scripts/types.mjs")) as { generate: () => Promise<string> };
  const written = await readFile(new URL("./schema.d.ts", import.meta.url), "utf8");
  expect(written === (await generate()), "stale: run `npm run types`").toBe(true);
}, 60_000);
