import { delimiter } from "node:path";

import { defineConfig, devices } from "@playwright/test";

import { findChromium } from "@/scripts/test/chromium";
import { isExhaustive } from "@/tests/support/exhaustive";

const executablePath = findChromium();

const { E2E_DEMO_FILE: demoFiles = "", E2E_TAG: tag } = process.env;

/**
 * What the phone is tested with: the tests whose outcome depends on the width, which end with `@phone`: tables that
 * become cards, menus, dialogs, boards, and that nothing overflows. Every test runs once, unless all is to be tried:
 * then these run on the desktop too (decision 0080).
 */
const ON_PHONE = /@phone$/;

/** What another test shows as well, or what takes longer than it tells: tried when all is. */
const EXHAUSTIVE = /@exhaustive$/;

const invertedOf = (tests: readonly RegExp[]) => (isExhaustive ? [] : [...tests]);

/**
 * Tests the pages of a running service in Chromium. E2E_BASE_URL is its address, E2E_DEMO_FILE the file that the demo
 * writes. Several files, separated as in PATH, name an organization each, for as many tests at a time.
 * E2E_TAG=@screenshot takes the pictures of docs/screenshots instead of testing.
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One test at a time per organization, so that no other test changes its data.
  workers: demoFiles.split(delimiter).length,
  fullyParallel: false,
  timeout: 360_000,
  expect: { timeout: 45_000 },
  reporter: "line",
  ...(tag ? { grep: new RegExp(`${tag}$`) } : { grepInvert: [/@screenshot$/, ...invertedOf([EXHAUSTIVE])] }),
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
    // A page that no longer draws would otherwise be waited for until the limit of its test.
    actionTimeout: 240_000,
    navigationTimeout: 240_000,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-quic",
      ],
    },
  },
  projects: [
    {
      name: "desktop",
      ...(!tag && { grepInvert: [/@screenshot$/, ...invertedOf([EXHAUSTIVE, ON_PHONE])] }),
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      ...(!tag && { grep: ON_PHONE }),
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    },
  ],
});
