// Writes what a running daemon quotes for every case of core/tests/vectors/content.json into that file:
//   TALKDRUM_URL=http://127.0.0.1:8080 TALKDRUM_TOKEN=... node scripts/vectors.mjs
// The account needs money for one message, and a price must be set. Nothing is confirmed, so nothing is sent or charged.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../../core/tests/vectors/content.json");
const url = process.env.TALKDRUM_URL ?? "http://127.0.0.1:8080";
const cases = JSON.parse(readFileSync(FILE, "utf8"));

for (const it of cases) {
  const form = new FormData();
  form.append("senderid", "WEBSMS");
  form.append("payment_method", "naira");
  const fields = { message: it.message, wap_title: it.wap_title, wap_url: it.wap_url, ...it.card };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  if (it.values) {
    const cell = (text) => `"${text.replaceAll('"', '""')}"`;
    const rows = [
      ["phone", ...Object.keys(it.values)],
      ["08031234567", ...Object.values(it.values)],
    ];
    form.append("file", new File([rows.map((row) => row.map(cell).join(",")).join("\n")], "one.csv"));
  } else form.append("contacts", "08031234567");
  const answer = await fetch(`${url}/api/send-${it.kind}-sms`, {
    method: "POST",
    headers: { Authorization: `Bearer ${process.env.TALKDRUM_TOKEN}` },
    body: form,
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${it.name}: ${body.message}`);
  const { encoding, pages, segments, message, replacements } = body.details;
  it.quote = { encoding, pages: pages[0], segments: segments[0], message, replacements };
}
writeFileSync(FILE, `[\n${cases.map((it) => `  ${JSON.stringify(it)}`).join(",\n")}\n]\n`);
console.log(`${cases.length} quotes written`);
