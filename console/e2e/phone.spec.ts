// Every page of both rooms on a phone: nothing is wider than the screen, and no figure is cut off or lies under the edge of
// what holds it.
import type { Page } from "@playwright/test";
import type { Customer, Daemon } from "./daemon";
import { expect, expectFits, signIn, signInAs, test } from "./harness";

const CUSTOMER =
  " sent-messages?type=all delivery-reports failed-messages campaigns/1 messages?number=08031001000 inbound-messages voice-reports " +
  "text-to-speech phonebook phonebook/contacts phonebook/opt-outs phonebook/imports upload-contacts buy-sms-online " +
  "fund-with-paystack transfer-funds pricing transaction-history request-sender-id virtual-numbers own-numbers profile-summary " +
  "profile-summary/security api-keys webhooks";
const ADMIN =
  " announcement maintainance audit-trail data-requests manage-users manage-users/user/USER message-users assign-naira set-sms-unit-price " +
  "set-paystack-unit-price approve-sender-id approve-virtualNumber voice-reports campaign-history campaign-history/1 messages " +
  "unknown-messages carriers carriers/sandbox webhooks transactions payments margins set-pricing";

async function send(daemon: Daemon, by: Customer, count: number): Promise<void> {
  const contacts = Array.from({ length: count }, (_, at) => {
    const end = at % 10 === 7 ? 9001 + (at % 3) : 1000 + at;
    return `${["0803", "0802", "0805", "0809"][at % 4]}${100 + (at % 900)}${end}`;
  }).join(",");
  const form = { senderid: "WEBSMS", payment_method: "naira", message: "We are open on Saturday", contacts };
  const { details } = await daemon.call<{ details: { quote_id: number } }>(
    "POST",
    "/api/send-text-sms",
    by.token,
    form,
  );
  await daemon.call("POST", "/api/confirm-send-text-sms", by.token, { quote_id: details.quote_id });
}

/** Figures whose right edge lies outside of the next box that cuts or scrolls. */
function cutFigures(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector("main");
    const cut: string[] = [];
    if (!main) return ["there is no page"];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!/\d/.test(node.textContent ?? "") || !node.parentElement) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { right, width } = range.getBoundingClientRect();
      if (width <= 1) continue;
      for (let box: Element | null = node.parentElement; box && box !== main; box = box.parentElement) {
        const { overflowX, position, textOverflow } = getComputedStyle(box);
        // What is for screen readers only, or ends in an ellipsis on purpose, is no figure that is cut.
        if (position === "absolute" && box.clientWidth <= 1) break;
        if (textOverflow === "ellipsis" && !/^[₦\d]/.test(node.textContent ?? "")) break;
        if (overflowX === "visible" || overflowX === "clip") continue;
        if (right > box.getBoundingClientRect().right + 1) cut.push(node.textContent ?? "");
        break;
      }
    }
    return cut;
  });
}

test("no figure is cut off on a phone, on any page of either room", async ({ page, daemon, browser }) => {
  test.setTimeout(300_000);
  await daemon.setPrices(4.5, 0.01);
  const admin = await daemon.admin();
  const ada = await daemon.customer({ naira: 12_345_678.9, espees: 98_765.4321 });
  await daemon.trust(ada);
  await send(daemon, ada, 1_200);
  await daemon.call("POST", "/api/request-senderid", ada.token, { sender_ids: ["ACME"] });
  await daemon.call("POST", "/api/paystack-payment-initiate", ada.token, { amount: 1_500_000 });
  await signInAs(page, daemon, ada);
  const other = await (await browser.newContext({ baseURL: daemon.url })).newPage();
  await signIn(other, daemon, admin);
  for (const [room, at, paths] of [
    [page, "/dashboard", CUSTOMER],
    [other, "/dashboard/admin", ADMIN],
  ] as const) {
    await room.setViewportSize({ width: 360, height: 740 });
    for (const path of paths.split(" ")) {
      await test.step(`${at}/${path}`, async () => {
        await room.goto(`${at}/${path.replace("USER", String(ada.id))}`);
        await expect(room.getByRole("heading", { level: 1 })).toBeVisible();
        // Streams keep some pages from ever being idle.
        await room.waitForTimeout(700);
        await expectFits(room, path);
        await expect.poll(() => cutFigures(room), { message: `${at}/${path}`, timeout: 3_000 }).toEqual([]);
      });
    }
  }
  await other.context().close();
});

test("rows of lists are as high in both rooms where there is room, and a search says in it what it searches", async ({
  page,
  daemon,
  browser,
}) => {
  const ada = await daemon.customer({});
  await signInAs(page, daemon, ada);
  const other = await (await browser.newContext({ baseURL: daemon.url })).newPage();
  await signIn(other, daemon, await daemon.admin());
  for (const [room, at, search] of [
    [page, "/dashboard/request-sender-id", "Search sender IDs"],
    [other, "/dashboard/admin/manage-users", "Search by username, email or phone"],
  ] as const) {
    await room.setViewportSize({ width: 1280, height: 860 });
    await room.goto(at);
    const cell = room.getByRole("table").getByRole("cell").first();
    await expect(cell).toBeVisible();
    const height = () => cell.evaluate((it) => it.getBoundingClientRect().height);
    await expect.poll(height).toBeGreaterThanOrEqual(47);
    // Where the face comes too late, the letters of another are a little higher.
    await expect.poll(height).toBeLessThan(56);
    const box = room.getByRole("searchbox", { name: search });
    await expect(box).toHaveAttribute("placeholder", search);
    await room.setViewportSize({ width: 360, height: 740 });
    await expect(box).toBeVisible();
    await expectFits(room, at);
  }
  await other.context().close();
});
