import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { show, signedIn } from "../../testing/render";
import { answers, problem } from "../../testing/server";
import type { Figures } from "./figures";
import Home from "./Home";

const TRAFFIC = {
  campaigns: 2,
  ordered: 1_200,
  delivered: 900,
  awaited: 95,
  undelivered: 100,
  rejected: 50,
  expired: 50,
  unknown: 5,
  delivered_per_mille: 818,
};

const FIGURES: Figures = {
  from: "2026-11-20T22:00:00.000Z",
  traffic: TRAFFIC,
  hours: [{ hour: "2026-11-21T09:00:00.000Z", ...TRAFFIC }],
  networks: [
    { network: "mtn", ...TRAFFIC, ordered: 900 },
    { network: "glo", ...TRAFFIC, ordered: 300, delivered_per_mille: null },
  ],
  senders: [{ sender: "ACME", ...TRAFFIC }],
  money: [
    { currency: "espees", paid_in: 0, credited: 1_000, revenue: 9.00001, released: 0.1 },
    { currency: "naira", paid_in: 50_000.5, credited: 0, revenue: 0, released: 0 },
  ],
  carriers: [],
  open_campaigns: { paused: 1, scheduled: 0, sending: 1 },
  oldest_unsent_at: "2026-11-21T20:00:00.000Z",
  queue_age_s: 95,
  unknown_messages: 5,
  last_check: { checked_at: "2026-11-21T03:00:00.000Z", findings: 0, ok: true },
};

const pending = (senderIds: number) => {
  answers("get", "/admin/get-sender-ids", { senderids: [], total: senderIds });
  answers("get", "/admin/get-virtual-numbers", { "virtual-Number": [], total: 0 });
  answers("get", "/admin/payments", { payments: [], total: 0 });
};

beforeEach(() => {
  const user = signedIn({ role: "admin" });
  answers("get", "/api/user-profile", { user, scopes: [], signed_in_with: "session" });
  answers("get", "/admin/figures/events", problem(429, "too_many_streams", "Too many"), 429);
  pending(3);
});

test("figures are shown as the daemon tells them, and read by the page only where it does not", async () => {
  let asked = 0;
  answers("get", "/admin/figures", FIGURES, 200, () => {
    asked += 1;
  });
  let tell: (figures: Figures) => void = () => undefined;
  let close: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const bytes = (figures: Figures) =>
        new TextEncoder().encode(`event: figures\ndata: ${JSON.stringify(figures)}\n\n`);
      tell = (figures) => controller.enqueue(bytes(figures));
      close = () => controller.close();
    },
  });
  const asks = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) => {
    return request.url.includes("/figures/events") ? Promise.resolve(new Response(stream)) : asks(request);
  });
  show(<Home />);
  expect(await screen.findByText(/read again every 15 seconds/)).toBeVisible();
  expect(screen.getByText("9.00001 ESPEES")).toBeVisible();
  tell({ ...FIGURES, queue_age_s: 3 });
  expect(await screen.findByText("3 s")).toBeVisible();
  expect(screen.getByText(/shown as they change/)).toBeVisible();
  expect(asked).toBe(1);
  close();
  expect(await screen.findByText(/read again every 15 seconds/)).toBeVisible();
  vi.unstubAllGlobals();
});

test("why messages wait is said above the figures, and nothing where nothing is in the way", async () => {
  const why = "Nothing is sent while the server is short of disk space";
  answers("get", "/admin/figures", { ...FIGURES, standstill: why });
  const { unmount } = show(<Home />);
  expect(await screen.findByText(why)).toBeVisible();
  unmount();
  answers("get", "/admin/figures", FIGURES);
  show(<Home />);
  expect(await screen.findByText("1 min 35 s")).toBeVisible();
  expect(screen.queryByText(why)).toBeNull();
});

test("what the operator should know of the routes is told", async () => {
  const text = "No [[routes]] entry takes text messages with the purpose otp: they are refused.";
  answers("get", "/admin/figures", { ...FIGURES, warnings: [text] });
  show(<Home />);
  expect(await screen.findByText(text)).toBeVisible();
});

test("an operator sees traffic, money, what waits and the ledger's verdict", async () => {
  answers("get", "/admin/figures", FIGURES);
  show(<Home />);
  const rate = await screen.findByRole("region", { name: "Delivery rate" });
  expect(await within(rate).findByText("81.8%")).toBeVisible();
  expect(rate).toHaveTextContent("900 delivered, 200 failed, 95 awaited");
  const networks = screen.getByRole("region", { name: "Networks" });
  expect(networks).toHaveTextContent("81.8% delivered, 200 failed, 95 awaited");
  expect(networks).toHaveTextContent("No receipt yet");
  expect(screen.getByRole("region", { name: "Queue age" })).toHaveTextContent("1 min 35 s");
  expect(screen.getByRole("region", { name: "Money in and out" })).toHaveTextContent("₦50,000.50");
  expect(screen.getByText(/The ledger adds up/)).toBeVisible();
  const waiting = screen.getByRole("region", { name: "Waiting for you" });
  const links = await within(waiting).findAllByRole("link");
  expect(links.map((it) => it.getAttribute("href"))).toEqual([
    "/dashboard/admin/unknown-messages",
    `/dashboard/admin/approve-sender-id?filter=${encodeURIComponent('{"status":"pending"}')}`,
    `/dashboard/admin/campaign-history?filter=${encodeURIComponent('{"status":"paused"}')}`,
  ]);
  expect(links[1]).toHaveTextContent("3sender IDs wait for approval");
});

test("what waits for a breaker alone is named, and is no nothing", async () => {
  const main: Figures["carriers"][number] = {
    name: "main",
    kind: "smpp",
    configured: true,
    health: "up",
    binds: [],
    rate: 500,
    throttled: false,
    state: "open",
    queued: 1_150,
    queued_later: 0,
    in_flight: 0,
    queued_notices: 0,
    unmatched_receipts: 0,
    unknown_messages: 0,
    breakers: [{ network: "mtn", state: "open", delivered: 31, failed: 169, waiting: 1_150 }],
  };
  const held: Figures = { ...FIGURES, oldest_unsent_at: null, queue_age_s: 0, carriers: [main] };
  answers("get", "/admin/figures", held);
  const { unmount } = show(<Home />);
  const age = () => screen.findByRole("region", { name: "Queue age" });
  await waitFor(async () => expect(await age()).toHaveTextContent("a breaker holds 1,150 for MTN"));
  unmount();
  answers("get", "/admin/figures", { ...held, carriers: [] });
  show(<Home />);
  await waitFor(async () => expect(await age()).toHaveTextContent("nothing waits"));
});

test("the traffic can be read as a table", async () => {
  answers("get", "/admin/figures", FIGURES);
  const { user } = show(<Home />);
  await user.click(await screen.findByRole("button", { name: "Show as a table" }));
  const row = screen.getByRole("row", { name: /2026-11-21 10:00/ });
  expect(row).toHaveTextContent("1,200");
});

test("another time is asked of the daemon, and kept in the address", async () => {
  const asked: string[] = [];
  answers("get", "/admin/figures", FIGURES, 200, ({ url }) => {
    asked.push(new URL(url).searchParams.get("hours") ?? "");
  });
  const { user, where } = show(<Home />);
  await user.selectOptions(await screen.findByRole("combobox", { name: "Time shown" }), "Last 7 days");
  expect(where()).toBe("/?hours=168");
  await screen.findByText("1 min 35 s");
  expect(asked).toContain("168");
});

test("figures that cannot be had are said not to be, with a way to try again", async () => {
  answers("get", "/admin/figures", problem(500, "internal", "Something went wrong on our side"), 500);
  const { user } = show(<Home />);
  expect(await screen.findByRole("alert")).toHaveTextContent("This could not be loaded");
  answers("get", "/admin/figures", FIGURES);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1 min 35 s")).toBeVisible();
});
