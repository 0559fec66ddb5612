import { defineConfig, devices } from "@playwright/test";

import { findChromium } from "@/scripts/test/chromium";

const executablePath = findChromium();

const { E2E_DEMO_FILE: demoFile, E2E_PHONE_DEMO_FILE: phoneDemoFile, E2E_TAG: tag } = process.env;

/**
 * Their outcome does not depend on the width. When desktop and phone are tested at the same time, the phone has them,
 * so that both have about as much to do.
 */
const OF_NO_WIDTH = [
  "content-security-policy",
  "oidc",
  "refusals",
  "settings-allowed-apps",
  "settings-app-webhooks",
  "settings-audit-log",
  "settings-members-found",
  "webhooks-failing",
].map((name) => `${name}.spec.ts`);

/**
 * What the phone is tested with: these, and the tests whose outcome depends on the width, which end with `@phone`:
 * tables that become cards, menus, dialogs, boards, and that nothing overflows. Every other test runs once.
 */
const ON_PHONE = new RegExp(`@phone$|${OF_NO_WIDTH.join("|")}`);

/**
 * Tests the pages of a running service in Chromium. E2E_BASE_URL is its address, E2E_DEMO_FILE the file that the demo
 * writes. With E2E_PHONE_DEMO_FILE, the phone has a separate organization and is tested at the same time as the
 * desktop, otherwise after it. E2E_TAG=@screenshot takes the pictures of docs/screenshots instead of testing.
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One test at a time per organization, so that no other test changes its data.
  workers: phoneDemoFile ? 2 : 1,
  fullyParallel: false,
  timeout: 360_000,
  expect: { timeout: 45_000 },
  reporter: "line",
  ...(tag ? { grep: new RegExp(`${tag}$`) } : { grepInvert: /@screenshot$/ }),
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
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
      workers: 1,
      metadata: { demoFile },
      testIgnore: phoneDemoFile ? OF_NO_WIDTH : [],
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      workers: 1,
      metadata: { demoFile: phoneDemoFile ?? demoFile },
      ...(!tag && { grep: ON_PHONE }),
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    },
  ],
});
