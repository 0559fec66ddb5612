import { defineConfig } from "vitest/config";

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
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/support/settings.ts"],
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: "database",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/unit/**", "tests/e2e/**", "tests/benchmarks/**"],
          globalSetup: ["tests/support/database-server.ts"],
          setupFiles: ["tests/support/settings.ts", "tests/support/suite-database.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
