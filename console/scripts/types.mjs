// Writes src/api/schema.d.ts from the daemon's OpenAPI snapshot. With --check it writes nothing and fails when
// the file is stale; src/api/schema.test.ts calls it so.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const SNAPSHOT = new URL("../../daemon/src/openapi.snap", import.meta.url);
const TYPES = new URL("../src/api/schema.d.ts", import.meta.url);

// A file of a form is a Blob in the browser; openapi-typescript's own word for it is a text.
function fileOf({ format, type }) {
  if (format !== "binary") return undefined;
  const blob = ts.factory.createTypeReferenceNode("Blob");
  const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull());
  return [type].flat().includes("null") ? ts.factory.createUnionTypeNode([blob, nothing]) : blob;
}

export async function generate() {
  const snapshot = await readFile(SNAPSHOT, "utf8");
  // Before the document stands the header of insta, between two lines of dashes.
  const document = JSON.parse(snapshot.replace(/^---\n[\s\S]*?\n---\n/, ""));
  const header = "// Made by `npm run types` from daemon/src/openapi.snap. Do not edit.\n\n";
  return header + astToString(await openapiTS(document, { alphabetize: true, transform: fileOf }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = await generate();
  if (process.argv.includes("--check")) {
    if (wanted !== (await readFile(TYPES, "utf8"))) {
      console.error("src/api/schema.d.ts is stale: run `npm run types`");
      process.exit(1);
    }
  } else {
    await writeFile(TYPES, wanted);
  }
}
