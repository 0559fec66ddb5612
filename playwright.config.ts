import { existsSync } from "node:fs";

import { defineConfig, devices } from "@playwright/test";

const DEBIAN_CHROMIUM = "/usr/bin/chromium";
const found = existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined;
const executablePath = process.env.CHROMIUM_PATH ?? found;

const { E2E_DEMO_FILE: demoFile, E2E_PHONE_DEMO_FILE: phoneDemoFile, E2E_TAG: tag } = process.env;

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
  timeout: 180_000,
  expect: { timeout: 20_000 },
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
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      workers: 1,
      metadata: { demoFile: phoneDemoFile ?? demoFile },
      // These do not depend on the width: redirects of sign-in and consent, and the example programs on pages.
      testIgnore: ["leaving.spec.ts", "*-example.spec.ts"],
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    },
  ],
});
