// The pictures of the README and of link previews. They are kept in the repository; this fails where they no longer show
// what is there, and `PICTURES=1 npm run e2e -- e2e/pictures.spec.ts` makes them again.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type Customer, type Daemon, TALKDRUM } from "./daemon";
import { expect, signIn, signInAs, standstill, test } from "./harness";
import { keepPicture, keepTerminal } from "./pictures";

const ROOT = join(import.meta.dirname, "../..");
const PICTURES = join(ROOT, ".github/pictures");

test.use({ viewport: { width: 1280, height: 800 } });

/** The same page by day and by night. */
async function both(page: Page, name: string): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    // Colours fade one into the other, each part after what it lies in.
    await page.waitForTimeout(1_500);
    await standstill(page);
    await keepPicture(page, join(PICTURES, `${name}-${scheme}.webp`));
  }
}

const SAID: [text: string, recipients: number, daysAgo: number][] = [
  ["Practice moves to Thursday at five, same hall.", 190, 13],
  ["Your order is ready. We are open until eight.", 420, 11],
  ["Rent for December is due on the 1st.", 260, 9],
  ["Sale on Saturday: 20% off everything in the shop.", 640, 7],
  ["The clinic is closed on Monday. Call 0803 000 0000.", 310, 5],
  ["Choir practice is at six today.", 150, 3],
  ["New stock of Ankara is in, from ₦2,500 a yard.", 520, 2],
  ["Buses leave at 12:15 tomorrow, not at two.", 380, 1],
  ["Dear parent, school closes at 12:00 tomorrow.", 1_170, 0],
];

async function confirm(
  daemon: Daemon,
  by: Customer,
  message: string,
  many: number,
  time?: string,
): Promise<number> {
  const contacts = Array.from({ length: many }, (_, at) => {
    const network = ["0803", "0802", "0805", "0809"][at % 4];
    const end = at % 16 === 7 ? 9001 + (at % 3) : 1000 + (at % 7000);
    return `${network}${100 + (at % 900)}${end}`;
  }).join(",");
  const form = {
    senderid: "GREENSCHOOL",
    payment_method: "naira",
    message,
    contacts,
    ...(time ? { time } : {}),
  };
  const when = time ? "schedule" : "send";
  const path = (step: string) => `/api/${step}${when}-text-sms`;
  const quoted = await daemon.call<{ details: { quote_id: number } }>("POST", path(""), by.token, form);
  const { details } = await daemon.call<{ details: { id: number } }>("POST", path("confirm-"), by.token, {
    quote_id: quoted.details.quote_id,
  });
  return details.id;
}

/** A customer who has sent for two weeks. What only time does is done to the database: campaigns move into the past. */
async function busy(daemon: Daemon): Promise<Customer> {
  const admin = await daemon.admin();
  await daemon.setPrices();
  const ada = await daemon.customer({ naira: 100_000, espees: 250 });
  await daemon.trust(ada);
  await daemon.call("POST", "/api/request-senderid", ada.token, { sender_ids: ["GREENSCHOOL"] });
  const { senderids } = await daemon.call<{ senderids: { id: number }[] }>(
    "GET",
    "/admin/get-sender-ids",
    admin,
  );
  await daemon.call("POST", `/admin/approve-senderid/${senderids[0]?.id}`, admin);
  for (const [text, many, days] of SAID) {
    const id = await confirm(daemon, ada, text, many);
    await expect
      .poll(async () => {
        const path = `/api/campaigns/${id}?numbers=0`;
        const { campaign } = await daemon.call<{
          campaign: { status: string; counts: { submitted: number; submitting: number } };
        }>("GET", path, ada.token);
        return campaign.status === "completed" && campaign.counts.submitting + campaign.counts.submitted;
      })
      .toBe(0);
    const back = days * 86_400_000;
    daemon.sql(
      `UPDATE campaigns SET created_at = created_at - ${back}, started_at = started_at - ${back},
         completed_at = completed_at - ${back} WHERE id = ${id};`,
    );
  }
  const soon = new Date(Date.now() + 26 * 3_600_000).toISOString();
  await confirm(daemon, ada, "See you tomorrow at nine.", 240, soon);
  return ada;
}

test("the README shows the pages as they are", async ({ page, daemon, browser }) => {
  test.setTimeout(300_000);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: "Login with KingsChat" }).first()).toBeVisible();
  await both(page, "site");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 630 });
  // What is shared of a site is not of a sandbox.
  await page.addStyleTag({
    content: "[aria-label=Sandbox], #root > header, #root > aside { display: none }",
  });
  await keepPicture(page, join(ROOT, "console/public/preview.jpg"), "jpeg");
  await page.setViewportSize({ width: 1280, height: 800 });

  const ada = await busy(daemon);
  await signInAs(page, daemon, ada);
  await page.goto("/dashboard");
  await expect(page.getByRole("region", { name: "Last campaigns" })).toContainText("Dear parent");
  await expect(page.locator("[data-bar]").first()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 1_000 });
  await both(page, "dashboard");

  const other = await (
    await browser.newContext({ baseURL: daemon.url, viewport: { width: 1280, height: 800 } })
  ).newPage();
  await signIn(other, daemon, await daemon.admin());
  await other.goto("/dashboard/admin");
  await expect(other.getByRole("region", { name: "Networks" })).toContainText("MTN", { timeout: 60_000 });
  await expect(other.getByRole("region", { name: "Money in and out" })).toContainText("₦100,000.00", {
    timeout: 60_000,
  });
  await expect(other.locator("[data-bar]").first()).toBeVisible();
  await both(other, "administration");
  await other.context().close();
});

test("the README shows a send in the terminal as it is printed", async ({ daemon }) => {
  await daemon.setPrices();
  const ada = await daemon.customer({ naira: 50_000 });
  await daemon.trust(ada);
  const home = mkdtempSync(join(tmpdir(), "talkdrum-picture-"));
  const talkdrum = (...args: string[]) =>
    execFileSync(TALKDRUM, args, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        COLUMNS: "96",
        XDG_CONFIG_HOME: home,
        TALKDRUM_URL: daemon.url,
        TALKDRUM_TOKEN: ada.token,
      },
    });
  try {
    const list = "examples/recipients/dirty.csv";
    const say = ["-m", "We are open on Saturday", "--pay", "naira"];
    const quote = talkdrum("send", "--to", list, ...say, "--dry-run");
    const sent = talkdrum("send", "--to", list, ...say, "--yes", "--wait", "--receipts", "60");
    const id = /Campaign\s+(\d+)/.exec(sent)?.[1] ?? "";
    // Of what moment the figures are changes from run to run.
    const breakdown = talkdrum("campaigns", "breakdown", id).replace(/\s+As of .*/, "");
    const lines = [
      `$ talkdrum send --to ${list} -m 'We are open on Saturday' --pay naira --wait`,
      ...shown(quote),
      "",
      ...after(sent),
      "",
      `$ talkdrum campaigns breakdown 1`,
      ...breakdown.trimEnd().split("\n"),
    ].map((line) => line.replace(new RegExp(`^(Campaign\\s+)${id}$`), (_, name: string) => `${name}1`));
    for (const night of [false, true]) {
      keepTerminal(join(PICTURES, `terminal-${night ? "dark" : "light"}.svg`), lines, night);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});

/** Of the quote, the lines that are the same each time and fit a picture. */
function shown(quote: string): string[] {
  const names = [
    "Total Contacts",
    "Duplicate",
    "Networks",
    "Pages",
    "Unit price",
    "Rate",
    "Total charge",
    "Balance after",
  ];
  return quote.split("\n").filter((line) => names.some((name) => line.startsWith(name)));
}

/** What follows the quote: the campaign with its outcomes. */
function after(sent: string): string[] {
  const lines = sent.trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => /^Campaign\s+\d+/.test(line)));
}
