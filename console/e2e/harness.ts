// What every spec uses: `test` with a daemon and a page that fails on console errors, axe, screenshots.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { type Customer, Daemon } from "./daemon";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Of a message that was sent before its draft was there the draft is deleted by its key, and asked for again for a while:
 * its beginning may still arrive. */
const UNBEGUN = /404 .*\/api\/drafts\?key=/;

interface Fixtures {
  /** Console errors a test expects: what Chromium itself says of a refused request, for one. */
  allowed: RegExp[];
  /** A configuration with carriers of its own; without one the daemon has its sandbox. */
  config: string | undefined;
  /** SQL for the fresh database, of what no call makes thousands of. */
  fill: string | undefined;
  daemon: Daemon;
  quiet: undefined;
}

/** The daemon of the file whose tests run. */
interface Running {
  file: string;
  daemon: Daemon;
}

export const test = base.extend<Fixtures, { running: { now?: Running } }>({
  running: [
    async ({}, use) => {
      const running: { now?: Running } = {};
      await use(running);
      await running.now?.daemon.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  // A worker goes on to the next file, which finds none of what the last one made: counts on a page are its own.
  config: async ({}, use) => use(undefined),
  fill: async ({}, use) => use(undefined),
  daemon: [
    async ({ running, config, fill }, use, { file }) => {
      if (running.now?.file !== file) {
        await running.now?.daemon.stop();
        running.now = { file, daemon: await Daemon.start(config, fill) };
      }
      await use(running.now.daemon);
    },
    { timeout: 60_000 },
  ],
  baseURL: async ({ daemon }, use) => use(daemon.url),
  allowed: async ({}, use) => use([]),
  quiet: [
    async ({ page, allowed }, use) => {
      const errors = consoleErrors(page);
      await use(undefined);
      const unexpected = errors.filter((text) => ![UNBEGUN, ...allowed].some((it) => it.test(text)));
      expect(unexpected).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** What a page complains of, from now on, each with the address it is about. */
export function consoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

/** Signs a customer (or an administrator's token and user) in without the form: the form has its own spec. */
export async function signIn(page: Page, daemon: Daemon, token: string): Promise<void> {
  const { user } = await daemon.call<{ user: object }>("GET", "/api/user-profile", token);
  await page.addInitScript(
    ([token, user]) => {
      // Once: a page that signs out and loads again stays signed out.
      if (localStorage.getItem("e2e") === token) return;
      localStorage.setItem("e2e", token as string);
      sessionStorage.setItem("token", token as string);
      sessionStorage.setItem("user", user as string);
    },
    [token, JSON.stringify(user)],
  );
}

export async function signInAs(page: Page, daemon: Daemon, customer: Customer): Promise<void> {
  await signIn(page, daemon, customer.token);
}

/** No violation of WCAG 2.2 A and AA or of good practice on the page as it stands, nor of contrast by night. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours are looked at as they end, also of what begins to fade while they are: a button that gets its data late.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; }");
    document.adoptedStyleSheets.push(still);
  });
  await there(page);
  await standstill(page);
  // Injected past the policy of the page, into the isolated call of the debugger.
  await page.evaluate(axeSource);
  expect(await violations(page)).toEqual([]);
  await inLight(page, "dark");
  const byNight = await violations(page, ["color-contrast"]);
  await inLight(page, "light");
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  expect(byNight, "by night").toEqual([]);
}

/** Waits until the page itself is drawn: an address is open before the code of its page has come. */
async function there(page: Page): Promise<void> {
  await expect(page.locator("h1").first()).toBeAttached();
}

/** Has the page drawn by day or by night. */
async function inLight(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The change is drawn with the next frame.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await standstill(page);
}

/** What axe finds, by all of its rules or by these. */
function violations(page: Page, runOnly?: string[]): Promise<object[]> {
  return page.evaluate(async (runOnly) => {
    const axe = (
      window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } }
    ).axe;
    const { violations } = await axe.run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
    return violations.map((it) => ({
      rule: it.id,
      help: it.help,
      nodes: it.nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} | ${node.failureSummary ?? ""}`),
    }));
  }, runOnly);
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Waits until fades and slides have ended, as colours in between are not the design's; not for endless ones. */
export async function standstill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((it) => Number.isFinite(Number(it.effect?.getComputedTiming().endTime ?? 0)));
    const over = Promise.allSettled(ending.map((it) => it.finished));
    await Promise.race([over, new Promise((done) => setTimeout(done, 2_000))]);
  });
}

const SHOTS = join(import.meta.dirname, "shots");
/** Pictures are for a person to look at: with `SHOTS=1` only, as they take longer than what they show. */
const SHOOTS = process.env.SHOTS === "1";

/** The page at 1280 and 360 px; fails where it is wider than the screen. Pictures by day and by night in e2e/shots. */
export async function shoot(page: Page, name: string, fullPage = true): Promise<void> {
  await there(page);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 860 });
    for (const colorScheme of SHOOTS ? (["light", "dark"] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.waitForTimeout(250);
      await picture(page, `${name}-${width}-${colorScheme}`, fullPage);
    }
    await expectFits(page, name);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** The page as it is, as one picture. */
export async function snap(page: Page, name: string, fullPage = true): Promise<void> {
  if (SHOOTS) await picture(page, name, fullPage);
}

/** A picture of a whole page resizes the window for a moment: what slides because of that is taken where it ends. */
async function picture(page: Page, name: string, fullPage: boolean): Promise<void> {
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage, animations: "disabled" });
}

/** Nothing is wider than the screen. */
export async function expectFits(page: Page, name: string): Promise<void> {
  const over = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  // What was just resized may take a moment to draw itself again.
  await expect
    .poll(over, { message: `${name} is wider than ${page.viewportSize()?.width} px`, timeout: 3_000 })
    .toBeLessThanOrEqual(0);
}
