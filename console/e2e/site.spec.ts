import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectFits, shoot, snap, test } from "./harness";

const DIST = join(import.meta.dirname, "../dist");

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

const MANIFEST = () =>
  JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

/** The files that are loaded with these modules and the entry. */
function filesOf(manifest: Record<string, Chunk>, modules: readonly string[]): string[] {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? "";
  const keys = new Set([entry, ...modules]);
  for (const key of keys) {
    if (!manifest[key]) throw new Error(`${key} is no module of the build`);
    for (const next of manifest[key].imports ?? []) keys.add(next);
  }
  return [...keys].map((key) => manifest[key]?.file ?? "").filter((file) => file.endsWith(".js"));
}

test("the landing page's scripts weigh less than 150 kB compressed, with no MUI and no react-admin", async ({
  page,
}) => {
  const files = filesOf(MANIFEST(), []);
  // What is too small to be worth it is not compressed.
  const scripts = files.map((file) => {
    const packed = join(DIST, `${file}.gz`);
    return existsSync(packed) ? readFileSync(packed) : gzipSync(readFileSync(join(DIST, file)));
  });
  const weight = scripts.reduce((sum, script) => sum + script.length, 0);
  expect(weight).toBeLessThan(150_000);
  for (const script of scripts) expect(gunzipSync(script).toString()).not.toContain("MuiButton");

  // What the browser loads is what the manifest says, and nothing of other hosts.
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto("/", { waitUntil: "networkidle" });
  const asked = loaded.filter((url) => url.endsWith(".js")).map((url) => new URL(url).pathname.slice(1));
  expect(asked.sort()).toEqual(files.sort());
  const origin = new URL(page.url()).origin;
  expect(loaded.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test.beforeEach(async ({ daemon }) => {
  const admin = await daemon.admin();
  await daemon.call("POST", "/admin/contact-email", admin, { email: "hello@talkdrum.example" });
  await daemon.call("POST", "/admin/contact-phone", admin, { phone: "08031234567" });
  await daemon.call("POST", "/admin/contact-address", admin, { address: "@talkdrum on KingsChat" });
});

async function shift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { hadRecentInput, value } = entry as PerformanceEntry & {
              hadRecentInput: boolean;
              value: number;
            };
            if (!hadRecentInput) sum += value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        window.setTimeout(() => done(sum), 2500);
      }),
  );
}

test("nothing jumps while the first page loads, wide and narrow", async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    expect(await shift(page)).toBeLessThan(0.05);
  }
});

test("a visitor reads the first page, opens a question and finds the contact", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/Talkdrum/);
  await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /exact price/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "Learn More" }).click();
  await expect(page.locator("#about-us h2")).toBeInViewport();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Contact" }).click();
  await expect(page.locator("#contact h2")).toBeInViewport();
  await expect(page.locator("#contact").getByRole("link", { name: "hello@talkdrum.example" })).toBeVisible();
  await page.getByText("Which files can I upload contacts from?").click();
  await expect(page.getByText(/CSV and TXT, one phone number per line/)).toBeVisible();
  await page.getByText("Can I schedule a message?").click();
  await expect(page.getByText(/CSV and TXT, one phone number per line/)).toBeHidden();
  await page.getByRole("button", { name: "Pause the testimonials" }).click();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByText("Can I schedule a message?").click();
  await shoot(page, "landing");
});

test("a visitor reads the price list and reckons a send", async ({ page, daemon }) => {
  await daemon.setPrices(4.5, 0.01);
  await page.goto("/");
  const prices = page.getByRole("region", { name: "What it costs" });
  await prices.scrollIntoViewIfNeeded();
  await expect(prices.getByRole("row", { name: /SMS in Nigeria/ })).toContainText("₦4.50");
  await expect(prices.getByRole("status")).toContainText("₦45,000.00");
  await prices.getByLabel("Recipients").fill("2500");
  await prices.getByLabel("Pages each").selectOption("2");
  await expect(prices.getByRole("status")).toContainText("₦22,500.00");
  await expectAccessible(page);
  await shoot(page, "landing-prices");
  // On a phone it stands beside nothing, however much a page costs.
  await daemon.setPrices(123.456789, 12.345678);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expect(prices.getByRole("row", { name: /SMS abroad/ })).toContainText("₦1,234.56789");
  await expectFits(page, "landing-prices-high");
});

test("the carousel goes on by itself and stands still under the pointer", async ({ page }) => {
  await page.goto("/");
  const carousel = page.getByRole("region", { name: "Testimonials" });
  await carousel.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  const now = () => carousel.locator('[data-place="here"] strong').textContent();
  const first = await now();
  await expect.poll(now, { timeout: 5000 }).not.toBe(first);
  await carousel.hover();
  const held = await now();
  await page.waitForTimeout(2600);
  expect(await now()).toBe(held);
  await page.getByRole("button", { name: "Testimonial 5 of 5" }).click();
  expect(await now()).toBe("Funmilayo Bello");
});

test("the drawer opens on a phone, keeps the focus, and closes by a choice and by Escape", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open the menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("link", { name: "Login/Register" })).toBeVisible();
  await expectAccessible(page);
  await snap(page, "landing-menu-360", false);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Open the menu" }).click();
  await menu.getByRole("link", { name: "Service" }).click();
  await expect(menu).toBeHidden();
  await expect(page.locator("#service h2")).toBeInViewport();
});

for (const [path, heading] of [
  ["/about", "About Talkdrum"],
  ["/contact", "Contact"],
  ["/privacy-policy", "Privacy policy"],
  ["/terms", "Terms"],
  ["/no-such-page", "Page not found"],
] as const) {
  test(`${path} can be read by all visitors`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveTitle(`${heading} · Talkdrum`);
    await expectAccessible(page);
    await shoot(page, `site${path.replaceAll("/", "-")}`);
  });
}

test("every letter of Yoruba, Igbo and Hausa and the Naira sign is drawn in the site's own face", async ({
  page,
}) => {
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Plain letters are left out: where their file comes late the fallback stays, on purpose.
  const letters = "ẸẹỌọṢṣỊịỤụṄṅƁɓƊɗƘƙƳƴʼ₦Ẹ̀ọ́";
  await page.evaluate(async (letters) => {
    const text = document.createElement("p");
    text.id = "letters";
    text.textContent = letters;
    text.style.fontWeight = "700";
    document.querySelector("main")?.prepend(text);
    await document.fonts.load(`700 16px ${getComputedStyle(text).fontFamily}`, letters);
    await document.fonts.ready;
  }, letters);
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#letters" });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.filter((font) => !font.isCustomFont)).toEqual([]);
  await session.detach();
});
