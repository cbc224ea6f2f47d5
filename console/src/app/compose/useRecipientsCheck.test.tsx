import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { signedIn } from "../../testing/render";
import { answers, server } from "../../testing/server";
import { useRecipientsCheck } from "./useRecipientsCheck";

beforeEach(() => signedIn());

test("a check that is superseded is given up", async () => {
  const asked: Request[] = [];
  server.use(
    http.post("*/api/recipients/check", async ({ request }) => {
      asked.push(request);
      if (asked.length === 1) await delay("infinite");
      return HttpResponse.json({ total_contacts: 2 });
    }),
  );
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const audience = { groups: [], audience: ["import:9"], purpose: "promotional" as const };
  const check = (text: string) => useRecipientsCheck(text, audience, [], []);
  const { result, rerender } = renderHook(check, { wrapper, initialProps: "08031234567" });
  await waitFor(() => expect(asked).toHaveLength(1), { timeout: 3_000 });
  rerender("08031234568");
  await waitFor(() => expect(result.current.checked?.total_contacts).toBe(2), { timeout: 3_000 });
  // The opt-outs that hold for it are left out.
  expect((await asked[1]?.formData())?.get("purpose")).toBe("promotional");
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(asked[1]?.signal.aborted).toBe(false);
});

test("what is typed is asked about only where it has prices by destination", () => {
  answers("post", "/api/recipients/check", { total_contacts: 1 });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  const none = { groups: [], audience: [], purpose: "" as const };
  const asks = (text: string, groups: number[], isPriced: boolean) =>
    renderHook(() => useRecipientsCheck(text, { ...none, groups }, [], [], isPriced), { wrapper }).result
      .current.asks;
  expect(asks("08031234567", [5], false)).toBe(false);
  expect(asks("08031234567", [], true)).toBe(true);
  expect(asks("", [5], true)).toBe(true);
  expect(asks(" ", [], true)).toBe(false);
});
