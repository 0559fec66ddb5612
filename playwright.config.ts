import { existsSync } from "node:fs";

import { defineConfig, devices } from "@playwright/test";

const DEBIAN_CHROMIUM = "/usr/bin/chromium";
const found = existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined;
const executablePath = process.env.CHROMIUM_PATH ?? found;

/**
 * Walks the pages of a running service in real Chromium. E2E_BASE_URL is its address, E2E_DEMO_FILE the file that the demo writes.
 * E2E_SCREENSHOTS=1 takes the pictures of the README instead of testing.
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One server, one organization: a second run of the wizard must find what the first has written.
  workers: 1,
  fullyParallel: false,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: "line",
  ...(process.env.E2E_SCREENSHOTS ? { grep: /@screenshot/ } : { grepInvert: /@screenshot/ }),
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
    trace: "retain-on-failure",
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
    { name: "desktop", use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 }, colorScheme: "dark" },
    },
  ],
});
