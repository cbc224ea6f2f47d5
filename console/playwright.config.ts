import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// Chromium without its windows draws the same pages for less work. Where it is missing, the whole browser is used.
const SHELL = "/usr/bin/chromium-headless-shell";
const CHROMIUM = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");

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
  // Once more on a machine that others use, too: a test that passes then is told as flaky at the end.
  retries: process.env.CI ? 1 : 0,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    browserName: "chromium",
    launchOptions: {
      executablePath: CHROMIUM,
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
