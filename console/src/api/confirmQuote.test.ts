import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { server } from "../testing/server";
import { confirmQuote } from "./confirmQuote";

test.each([
  ["text", [], "/api/confirm-send-text-sms"],
  ["flash", ["2026-11-22T09:00:00Z"], "/api/confirm-schedule-flash-sms"],
  ["voice", [], "/api/voice-call"],
  ["voice", ["2026-11-22T09:00:00Z"], "/api/voice-call"],
] as const)("a quote of %s with starts %j is confirmed at %s, by its key", async (sms_type, starts, path) => {
  const seen: string[] = [];
  server.use(
    http.post("*/api/*", async ({ request }) => {
      const { pathname } = new URL(request.url);
      seen.push(`${pathname} ${request.headers.get("Idempotency-Key")} ${await request.text()}`);
      return HttpResponse.json({ details: { id: 9 }, campaigns: [], message: "Sent" });
    }),
  );
  expect((await confirmQuote({ quote_id: 31, sms_type, starts })).message).toBe("Sent");
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain(`${path} confirm-quote-31 `);
  expect(seen[0]).toMatch(/quote_id\D*31/);
});
