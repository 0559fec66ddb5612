import { defineConfig } from "vitest/config";

/** What comes by itself is waited for as long as a loaded machine may take; vitest would give up after a second. */
const expectation = { poll: { timeout: 20_000 } };

const shared = {
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic" as const } },
};

export default defineConfig({
  test: {
    // Two cores: one worker each, so that suites which start servers of their own still find time.
    maxWorkers: 2,
    reporters: process.env.CI ? ["default"] : ["dot"],
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          expect: expectation,
          include: ["tests/unit/**/*.test.{ts,tsx}", "tests/architecture/**/*.test.ts"],
          setupFiles: ["tests/support/settings.ts"],
          testTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          name: "database",
          expect: expectation,
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/unit/**", "tests/architecture/**", "tests/service/**", "tests/e2e/**", "tests/benchmarks/**"],
          globalSetup: ["tests/support/database-server.ts"],
          setupFiles: ["tests/support/settings.ts", "tests/support/suite-database.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...shared,
        // Against the built service over HTTP; `npm test` starts it and names its demo file in SERVICE_FILE.
        test: {
          name: "service",
          expect: expectation,
          include: ["tests/service/**/*.test.ts"],
          globalSetup: ["tests/service/api/validator.ts"],
          setupFiles: ["tests/support/settings.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
