// The operator's handbook as the daemon serves it: every page is found from the map, and no link leads nowhere.
import { expect, expectAccessible, expectFits, shoot, signIn, test } from "./harness";

test("the handbook is reached from the menu, and every link of every page leads to its place", async ({
  page,
  daemon,
}) => {
  await signIn(page, daemon, await daemon.admin());
  await page.goto("/dashboard/admin");
  await page.getByRole("link", { name: "Handbook" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Handbook" })).toBeVisible();

  const known = new Set<string>([new URL(page.url()).pathname]);
  for (const path of known) {
    await page.goto(path);
    // Not the console's page of what is nowhere.
    await expect(page, path).toHaveTitle(/ · Talkdrum handbook$/);
    const links = await page.locator("a").evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    const pages = links.map((link) => new URL(link)).filter((link) => link.pathname.startsWith("/handbook/"));
    for (const link of pages) {
      known.add(link.pathname);
      if (!link.hash) continue;
      const text = await (await page.request.get(link.pathname)).text();
      expect(text, `${path} links to ${link.pathname}${link.hash}`).toContain(`id="${link.hash.slice(1)}"`);
    }
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectFits(page, path);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(known.size).toBeGreaterThan(10);
  for (const name of ["index", "install", "alarms"]) {
    await page.goto(`/handbook/${name}.html`);
    await shoot(page, `handbook-${name}`);
  }
});
