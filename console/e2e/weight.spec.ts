// What each page weighs before anything is done on it: scripts, style sheets and fonts, compressed as they cross the
// network, without the headers of the answers. Every page of the build is in the table: one that is left out fails the test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, signIn, signInAs, test } from "./harness";

const KILOBYTE = 1000;
/** The rule's, unless a run asks for another, such as to see these tests fail: `WEIGHT=200 npx playwright test weight`. */
const MOST = Number(process.env.WEIGHT ?? 350) * KILOBYTE;
const LANDING_SCRIPTS_MOST = 150 * KILOBYTE;

const PUBLIC = [
  "/",
  "/about",
  "/contact",
  "/privacy-policy",
  "/terms",
  "/no-such-page",
  "/login",
  "/auth/login",
  "/auth/register",
  "/auth/verify-reg",
  "/auth/forgot-password",
];

const CUSTOMERS = [
  "",
  "/sent-messages",
  "/delivery-reports",
  "/failed-messages",
  "/campaigns/CAMPAIGN",
  "/messages",
  "/messages/MESSAGE",
  "/inbound-messages",
  "/voice-reports",
  "/compose-sms",
  "/text-to-speech",
  "/phonebook",
  "/phonebook/contacts",
  "/phonebook/opt-outs",
  "/phonebook/imports",
  "/phonebook/imports/1",
  "/phonebook/GROUP",
  "/upload-contacts",
  "/buy-sms-online",
  "/fund-with-paystack",
  "/transfer-funds",
  "/pricing",
  "/transaction-history",
  "/request-sender-id",
  "/virtual-numbers",
  "/own-numbers",
  "/profile-summary",
  "/profile-summary/security",
  "/api-keys",
  "/webhooks",
  "/webhooks/WEBHOOK",
  "/no-such-page",
];

const ADMINS = [
  "",
  "/set-wallet-address",
  "/announcement",
  "/announcement/create",
  "/announcement/ANNOUNCEMENT",
  "/set-contact-address",
  "/set-contact-phone",
  "/set-contact-email",
  "/maintainance",
  "/audit-trail",
  "/data-requests",
  "/manage-users",
  "/manage-users/create",
  "/manage-users/user/USER",
  "/message-users",
  "/assign-espees",
  "/assign-naira",
  "/set-sms-unit-price",
  "/rates",
  "/set-voice-unit-price",
  "/set-sms-api-key",
  "/set-espee-api-key",
  "/approve-sender-id",
  "/approve-virtualNumber",
  "/own-numbers",
  "/voice-reports",
  "/campaign-history",
  "/campaign-history/CAMPAIGN",
  "/set-paystack-unit-price",
  "/set-paystack-keys",
  "/set-pricing",
  "/messages",
  "/messages/MESSAGE",
  "/unknown-messages",
  "/inbound-messages",
  "/carriers",
  "/carriers/CARRIER",
  "/webhooks",
  "/webhooks/WEBHOOK",
  "/transactions",
  "/payments",
  "/payment-events",
  "/margins",
  "/no-such-page",
];

/** What weighs. */
const KINDS = ["script", "stylesheet", "font"];

interface Weighed {
  address: string;
  scripts: number;
  rest: number;
  files: number;
}

// The import that is looked at is none.
test.use({ allowed: async ({}, use) => use([/404 .*\/api\//]) });

/** Files of the build that any page has loaded. */
const loaded = new Set<string>();

/** Opens pages with nothing kept from before. */
async function weigh(page: Page, addresses: readonly string[]): Promise<Weighed[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  let asked: Request[] = [];
  // Of this page: one of the last page is over when the next one is opened.
  let open = new Set<Request>();
  const ofBuild = (request: Request) => KINDS.includes(request.resourceType());
  // What the daemon answers may ask for more of the build; a stream of events is never answered whole.
  const isAwaited = (request: Request) =>
    ofBuild(request) || (request.resourceType() === "fetch" && !/\/events(\?|$)/.test(request.url()));
  page.on("request", (request) => {
    if (ofBuild(request)) asked.push(request);
    if (isAwaited(request)) open.add(request);
  });
  const close = (request: Request) => {
    open.delete(request);
  };
  page.on("requestfinished", close);
  page.on("requestfailed", close);
  const all: Weighed[] = [];
  for (const address of addresses) {
    [asked, open] = [[], new Set()];
    await page.goto(address);
    await expect(page.locator("h1").first()).toBeVisible();
    await settled(page, () => (open.size > 0 ? -1 : asked.length));
    const weighed = { address, scripts: 0, rest: 0, files: asked.length };
    for (const request of asked) {
      const { responseBodySize } = await request.sizes();
      expect(responseBodySize, `${request.url()} came over the network`).toBeGreaterThan(0);
      weighed[request.resourceType() === "script" ? "scripts" : "rest"] += responseBodySize;
      loaded.add(new URL(request.url()).pathname.slice(1));
    }
    all.push(weighed);
  }
  await session.detach();
  return all;
}

/** Waits until nothing more is asked for, for a while: pages load parts of theirs by what the daemon answers. */
async function settled(page: Page, asked: () => number): Promise<void> {
  for (let [before, still] = [-1, 0]; still < 4; ) {
    await page.waitForTimeout(150);
    const now = asked();
    still = now >= 0 && now === before ? still + 1 : 0;
    before = now;
  }
}

const weightOf = ({ scripts, rest }: Weighed) => scripts + rest;
const lineOf = (it: Weighed) =>
  `${Math.ceil(weightOf(it) / KILOBYTE)} kB, ${Math.ceil(it.scripts / KILOBYTE)} of scripts, in ${it.files} files: ${it.address}`;

interface Made {
  ada: Customer;
  /** What stands in the table for what a page is of. */
  ids: Record<string, string | number>;
}

/** Something for each page to show. */
async function make(daemon: Daemon): Promise<Made> {
  const admin = await daemon.admin();
  await daemon.setPrices();
  const ada = await daemon.customer();
  const call = <T>(method: string, path: string, body?: unknown) =>
    daemon.call<T>(method, path, ada.token, body);
  const form = {
    senderid: "WEBSMS",
    payment_method: "naira",
    message: "Hello",
    contacts: "08031230001,08051230001",
  };
  const quoted = await call<{ details: { quote_id: number } }>("POST", "/api/send-text-sms", form);
  const { details } = await call<{ details: { id: number } }>("POST", "/api/confirm-send-text-sms", {
    quote_id: quoted.details.quote_id,
  });
  const { messages } = await call<{ messages: { id: number }[] }>(
    "GET",
    "/api/messages?number=08031230001&page=1&per_page=5",
  );
  await call("POST", "/api/create/group", { group_name: "Parents" });
  const { groups } = await call<{ groups: { id: number }[] }>("GET", "/api/get/group?page=1&per_page=5");
  const { webhook } = await call<{ webhook: { id: number } }>("POST", "/api/webhooks", {
    url: "https://example.com/talkdrum",
    events: ["campaign.completed"],
  });
  const announced = await daemon.call<{ Announcement: { id: number }[] }>(
    "POST",
    "/admin/manage-annoucement",
    admin,
    { action: "create", announcement: "Hello to all" },
  );
  const { carriers } = await daemon.call<{ carriers: { name: string }[] }>("GET", "/admin/carriers", admin);
  return {
    ada,
    ids: {
      CAMPAIGN: details.id,
      MESSAGE: messages[0]?.id ?? 0,
      GROUP: groups[0]?.id ?? 0,
      WEBHOOK: webhook.id,
      ANNOUNCEMENT: announced.Announcement[0]?.id ?? 0,
      CARRIER: carriers[0]?.name ?? "",
      USER: ada.id,
    },
  };
}

/** Addresses with what was made. */
function below(room: string, paths: readonly string[], { ids }: Made): string[] {
  return paths.map((path) => room + path.replace(/[A-Z]{4,}$/, (name) => String(ids[name])));
}

/** What a router loads that is no page. */
const NO_PAGES = ["src/app/auth/SignInDialog.tsx", "src/admin/AdminApp.tsx"];

/** The build's own list of what a router loads. */
function pagesOf(router: string): { page: string; file: string }[] {
  const manifest = manifestOf();
  const pages = (manifest[router]?.dynamicImports ?? []).filter((page) => !NO_PAGES.includes(page));
  return pages.map((page) => ({ page, file: manifest[page]?.file ?? "" }));
}

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
}

function manifestOf(): Record<string, Chunk> {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../dist/.vite/manifest.json"), "utf8"));
}

/** None of these is too heavy, and all pages of the router are among them. */
function judge(weighed: readonly Weighed[], router: string, fewest: number) {
  const all = weighed.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (process.env.WEIGHTS) console.log(all.map(lineOf).join("\n"));
  expect.soft(all.filter((it) => weightOf(it) >= MOST).map(lineOf), "pages that weigh too much").toEqual([]);
  const pages = pagesOf(router);
  expect(pages.length).toBeGreaterThan(fewest);
  const left = pages.filter(({ file }) => !loaded.has(file)).map((it) => it.page);
  expect(left, "pages that were not weighed").toEqual([]);
}

test("no page of visitors and customers weighs too much before anything is done on it", async ({
  page,
  daemon,
}) => {
  test.setTimeout(600_000);
  const made = await make(daemon);
  const visitors = await weigh(page, PUBLIC);
  expect.soft(visitors[0]?.scripts, "the first page's scripts").toBeLessThan(LANDING_SCRIPTS_MOST);
  await signInAs(page, daemon, made.ada);
  const customers = await weigh(page, below("/dashboard", CUSTOMERS, made));
  judge([...visitors, ...customers], "index.html", 40);
});

test("no page of the administration weighs too much before anything is done on it", async ({
  page,
  daemon,
}) => {
  test.setTimeout(600_000);
  const made = await make(daemon);
  await signIn(page, daemon, await daemon.admin());
  judge(await weigh(page, below("/dashboard/admin", ADMINS, made)), "src/admin/AdminApp.tsx", 35);
});

test("no files of the build import each other in a circle: which is run first would decide whether a page opens", () => {
  const manifest = manifestOf();
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (chunk: string, above: string[]) => {
    if (above.includes(chunk)) circles.push([...above, chunk].join(" > "));
    if (done.has(chunk) || above.includes(chunk)) return;
    for (const next of manifest[chunk]?.imports ?? []) visit(next, [...above, chunk]);
    done.add(chunk);
  };
  for (const chunk of Object.keys(manifest)) visit(chunk, []);
  expect(circles).toEqual([]);
});
