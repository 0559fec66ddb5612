import { defineConfig } from "vitest/config";

/** What comes by itself is waited for as long as a loaded machine may take; vitest would give up after a second. */
const expectation = { poll: { timeout: 20_000 } };

const shared = {
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic" as const } },
};

/** On PostgreSQL: each suite in a database of its own. */
const onDatabase = {
  expect: expectation,
  globalSetup: ["tests/support/database-server.ts"],
  setupFiles: ["tests/support/settings.ts", "tests/support/suite-database.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/**
 * Whose suites end workers, leave deliveries under way, change what their process is told at its start, what all in it
 * send, or which modules it has.
 */
const OWN_PROCESS = [
  "tests/inngest/**/*.test.ts",
  "tests/webhooks/**/*.test.ts",
  "tests/scripts/**/*.test.ts",
  "tests/http/matrix/second-wall.test.ts",
  "tests/database/organization-scope.test.ts",
  "tests/sessions/oidc-settings.test.ts",
];

/** Without a database. */
const UNIT = ["tests/**/*.unit.test.{ts,tsx}", "tests/architecture/**/*.test.ts", "sandbox-org/**/*.test.ts"];

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
          include: UNIT,
          setupFiles: ["tests/support/settings.ts"],
          testTimeout: 60_000,
        },
      },
      {
        ...shared,
        // The suites of a worker share its modules: loading them anew took longer than most suites do.
        test: {
          ...onDatabase,
          name: "database",
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
          include: ["tests/**/*.test.ts"],
          exclude: [...UNIT, "tests/service/**", "tests/e2e/**", "tests/benchmarks/**", ...OWN_PROCESS],
        },
      },
      {
        ...shared,
        test: { ...onDatabase, name: "processes", include: OWN_PROCESS, exclude: UNIT },
      },
      {
        ...shared,
        // Against the built service over HTTP; `npm test` starts it and names its demo file in SERVICE_FILE.
        test: {
          name: "service",
          expect: expectation,
          include: ["tests/service/**/*.test.ts"],
          exclude: ["tests/service/specification/**"],
          globalSetup: ["tests/service/api/support/validator.ts"],
          setupFiles: ["tests/support/settings.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        // As those, in an organization of their own: they migrate into it, and create records that are no org's.
        test: {
          name: "specification",
          expect: expectation,
          include: ["tests/service/specification/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
