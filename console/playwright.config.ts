import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // The tests of a file run in order in one worker, before a daemon that no other file uses.
  workers: 2,
  fullyParallel: false,
  // A machine that does much else takes a minute for what takes fifteen seconds alone.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: !!process.env.CI,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    browserName: "chromium",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    },
    locale: "en-GB",
    timezoneId: "Africa/Lagos",
    // A failed test leaves a picture of the page and its contents. A trace of every step, which is nearly half of the
    // work of a run, is kept with `TRACE=1` only.
    screenshot: "only-on-failure",
    trace: process.env.TRACE === "1" ? "retain-on-failure" : "off",
  },
});
