import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { showAdmin } from "../../testing/admin";
import { answers, problem } from "../../testing/server";
import { milliseconds } from "./CarrierCard";
import CarrierList from "./CarrierList";
import CarrierPage from "./CarrierPage";
import { type Carrier, canDrain, canPause, canReroute, canResume } from "./carrier";

const carrier = (more: Partial<Carrier> = {}): Carrier => ({
  name: "main",
  kind: "smpp",
  configured: true,
  health: "up",
  binds: [{ role: "transceiver", state: "bound", since: "2026-11-21T08:00:00Z" }],
  window: 100,
  window_used: 7,
  rate: 500,
  rate_now: 120,
  throttled: false,
  receipt_lag: { measured: 50, p50_ms: 850, p95_ms: 2_340 },
  state: "open",
  queued: 1_200,
  queued_later: 0,
  in_flight: 7,
  queued_notices: 0,
  unmatched_receipts: 0,
  unknown_messages: 3,
  ...more,
});

test("an open carrier can be held, a held one goes on, and only a held one's messages are led elsewhere", () => {
  const able = (more: Partial<Carrier>) =>
    [canPause, canDrain, canResume, canReroute].map((it) => it(carrier(more)));
  expect(able({ state: "open" })).toEqual([true, true, false, false]);
  expect(able({ state: "paused" })).toEqual([false, true, true, true]);
  expect(able({ state: "draining" })).toEqual([true, false, true, true]);
  expect(able({ state: "open", configured: false })).toEqual([false, false, false, true]);
});

test("a trunk offers neither a test message nor a trace, and a carrier of messages offers both", async () => {
  const carriers = [
    carrier(),
    carrier({ name: "trunk", kind: "sip" }),
    carrier({ name: "dialler", kind: "http-voice" }),
  ];
  answers("get", "/admin/carriers", { carriers, total: 3 });
  showAdmin(<CarrierList />, "carriers");
  const tests = async (name: string) => {
    const card = await screen.findByRole("region", { name: `Carrier ${name}` });
    expect(within(card).getByRole("button", { name: `Pause ${name}` })).toBeVisible();
    return within(card).queryAllByRole("button", { name: /test/i }).length;
  };
  expect([await tests("main"), await tests("trunk"), await tests("dialler")]).toEqual([1, 0, 0]);
});

test("a carrier that refuses all says so in a sentence that ends once, and one that is down in its own words", async () => {
  const carriers = [
    carrier({ health: "refusing", reason: "No credit." }),
    carrier({ name: "spare", health: "connecting", reason: "No route to it." }),
  ];
  answers("get", "/admin/carriers", { carriers, total: 2 });
  showAdmin(<CarrierList />, "carriers");
  const said = async (name: string) => {
    const card = await screen.findByRole("region", { name: `Carrier ${name}` });
    return within(card).getByRole("alert").textContent;
  };
  expect([await said("main"), await said("spare")]).toEqual([
    "It refuses every message: No credit. A test shows whether it takes them again.",
    "No route to it.",
  ]);
});

test("what waits at a trunk is calls", async () => {
  answers("get", "/admin/carriers", {
    carriers: [carrier({ name: "trunk", kind: "sip", queued: 1 })],
    total: 1,
  });
  const { user } = showAdmin(<CarrierList />, "carriers");
  await user.click(await screen.findByRole("button", { name: "Pause trunk" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("It keeps 1 call waiting");
  expect(dialog).toHaveTextContent("It finishes 7 calls in flight.");
  expect(dialog).not.toHaveTextContent("message");
});

test.each([
  ["main", 1],
  ["trunk", 0],
])("the page of the carrier %s offers %i traces", async (name, traces) => {
  const carriers = [carrier(), carrier({ name: "trunk", kind: "sip" })];
  answers("get", "/admin/carriers", { carriers, total: 2 });
  answers("get", "/admin/carriers/main/trace", { until: null, lines: [] });
  const page = (
    <Routes>
      <Route path="/dashboard/admin/carriers/:id" element={<CarrierPage />} />
    </Routes>
  );
  showAdmin(page, "carriers", `/${name}`);
  await screen.findByRole("region", { name: `Carrier ${name}` });
  expect(screen.queryAllByRole("button", { name: /Trace/ })).toHaveLength(traces);
});

test("a lag is said in what people read", () => {
  expect(milliseconds(850)).toBe("850 ms");
  expect(milliseconds(2_340)).toBe("2.3 s");
  expect(milliseconds(95_000)).toBe("1 min 35 s");
});

test("an operator pauses a carrier, and is told first what waits and what is in flight", async () => {
  const said: unknown[] = [];
  answers("get", "/admin/carriers", { carriers: [carrier()], total: 1 });
  answers(
    "post",
    "/admin/carriers/main/pause",
    { carrier: carrier({ state: "paused" }), message: "main is paused" },
    200,
    async (request) => void said.push(await request.json()),
  );
  const { user } = showAdmin(<CarrierList />, "carriers");
  const card = await screen.findByRole("region", { name: "Carrier main" });
  expect(card).toHaveTextContent("7 of 100");
  expect(card).toHaveTextContent("95 of 100 within 2.3 s");
  await user.click(within(card).getByRole("button", { name: "Pause main" }));
  const dialog = await screen.findByRole("dialog", { name: "Pause main?" });
  expect(dialog).toHaveTextContent("It keeps 1,200 messages waiting");
  await user.type(within(dialog).getByLabelText("Reason"), "MTN is down");
  await user.click(within(dialog).getByRole("button", { name: "Pause" }));
  expect(await screen.findByText("main is paused")).toBeVisible();
  expect(said).toEqual([{ reason: "MTN is down" }]);
});

test("a configuration file with an error changes nothing, and the error is shown", async () => {
  answers("get", "/admin/carriers", { carriers: [], total: 0 });
  answers("post", "/admin/carriers/reload", problem(400, "bad_configuration", "carriers.main: no host"), 400);
  const { user } = showAdmin(<CarrierList />, "carriers");
  expect(await screen.findByText("No carrier is configured")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Reload the configuration" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Reload" }));
  expect(await within(dialog).findByText("carriers.main: no host")).toBeVisible();
});

test("which daemon took the file is said, and which did not and why", async () => {
  answers("get", "/admin/carriers", { carriers: [], total: 0 });
  answers("post", "/admin/carriers/reload", {
    message: "Changed: main. 1 of 3 daemons took it. Refused by sms-2:8080. Nothing heard from sms-3:8080",
    changed: ["main"],
    started: [],
    unchanged: [],
    removed: [],
    needs_restart: [],
    routes_changed: false,
    daemons: [
      { name: "sms-1:8080", role: "all", outcome: "reloaded", message: "Changed: main" },
      { name: "sms-2:8080", role: "worker", outcome: "refused", message: "carriers.main: no host" },
      { name: "sms-3:8080", role: "api", outcome: "silent", message: "It did not say in time" },
    ],
  });
  const { user } = showAdmin(<CarrierList />, "carriers");
  await user.click(await screen.findByRole("button", { name: "Reload the configuration" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Reload" }));
  const daemons = within(await within(dialog).findByRole("list", { name: "Daemons" })).getAllByRole(
    "listitem",
  );
  expect(daemons.map((it) => it.textContent)).toEqual([
    "sms-1:8080API and workerTook itChanged: main",
    "sms-2:8080WorkerRefused itcarriers.main: no host",
    "sms-3:8080APINot heard fromIt did not say in time",
  ]);
  expect(
    within(dialog)
      .getByText(/1 of 3 daemons took it/)
      .closest("[role=alert]"),
  ).toHaveClass("MuiAlert-colorWarning");
});

test("a trunk shows how its calls go, and all of them can be hung up while some are up", async () => {
  const calls = {
    up: 12,
    begun_last_minute: 97,
    ended: { answered: 64, busy: 12, no_answer: 24, failed: 0 },
    packets: 32_000,
    packets_late: 320,
  };
  const trunk = carrier({ name: "trunk", kind: "sip", window: 30, rate: 2, rate_now: undefined, calls });
  const quiet = carrier({ name: "quiet", kind: "sip", calls: { ...calls, up: 0, ended: {}, packets: 0 } });
  answers("get", "/admin/carriers", { carriers: [trunk, quiet], total: 2 });
  const asked: unknown[] = [];
  const done = { carrier: trunk, message: "They are hung up" };
  answers("post", "/admin/carriers/trunk/hang-up", done, 200, async (request) => {
    asked.push(await request.json());
  });
  const { user } = showAdmin(<CarrierList />, "carriers");
  const card = await screen.findByRole("region", { name: "Carrier trunk" });
  for (const text of [
    "12 of 30",
    "97 in a minute",
    "64.0%",
    "of 100 that ended in 5 minutes",
    "24 no answer",
    "1.0%",
    "12 busy",
  ]) {
    expect(card).toHaveTextContent(text);
  }
  expect(card).not.toHaveTextContent(/failed|Unmatched receipts/);
  expect(screen.queryByRole("button", { name: "Hang up all quiet" })).toBeNull();
  await user.click(within(card).getByRole("button", { name: "Hang up all trunk" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("It ends 12 calls now");
  await user.type(within(dialog).getByLabelText("Reason"), "a bad list");
  await user.click(within(dialog).getByRole("button", { name: "Hang up all" }));
  expect(await screen.findByText("They are hung up")).toBeVisible();
  expect(asked).toEqual([{ reason: "a bad list" }]);
});

test("a network that is not delivered to shows what waits and why, and can be sent to all the same", async () => {
  const breaker = {
    network: "mtn",
    state: "open",
    delivered: 31,
    failed: 169,
    waiting: 1_150,
    opened_at: "2026-11-21T08:00:00Z",
    probe_at: "2026-11-21T08:05:00Z",
  };
  const forced = { ...breaker, network: "glo", delivered: 0, failed: 0, waiting: 1, changed_by: "root" };
  const held = carrier({ breakers: [breaker, forced] });
  answers("get", "/admin/carriers", { carriers: [held, carrier({ name: "spare" })], total: 2 });
  const asked: unknown[] = [];
  const done = { carrier: held, message: "They go out again" };
  answers("post", "/admin/carriers/main/breaker", done, 200, async (request) => {
    asked.push(await request.json());
  });
  const { user } = showAdmin(<CarrierList />, "carriers");
  const card = await screen.findByRole("region", { name: "Carrier main" });
  expect(card).toHaveTextContent(
    /1,150 promotional messages wait for MTN since .*: 31 of 200 were delivered\./,
  );
  expect(card).toHaveTextContent(/1 promotional message waits for Glo since .*: opened by root\./);
  const spare = screen.getByRole("region", { name: "Carrier spare" });
  expect(within(spare).queryByRole("button", { name: /Send to/ })).toBeNull();
  await user.click(within(card).getByRole("button", { name: "Send to MTN by main" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("whether MTN delivers again or not");
  await user.click(within(dialog).getByRole("button", { name: "Send now" }));
  expect(await screen.findByText("They go out again")).toBeVisible();
  expect(asked).toEqual([{ network: "mtn", state: "closed" }]);
});
