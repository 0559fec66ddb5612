import { defineConfig } from "vitest/config";

/** `expect.poll` waits as long as a loaded machine may need. Vitest's default is one second. */
const expectation = { poll: { timeout: 20_000 } };

const shared = {
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { runtime: "automatic" as const } },
};

const COMPILED = "tests/support/compiled-programs.ts";

/** On PostgreSQL, each suite in a separate database. */
const onDatabase = {
  expect: expectation,
  globalSetup: [COMPILED, "tests/support/database-server.ts"],
  setupFiles: ["tests/support/set-test-settings.ts", "tests/support/suite-database.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** The suites of a worker share its modules, because loading them again takes longer than most suites. */
const sharingModules = { isolate: false, unstubEnvs: true, restoreMocks: true };

/** One takes row-level security off the tables of its database, the other conditions out of its statements. */
const BOTH_WALLS = "tests/http/matrix/{first,second}-wall.test.ts";

/** They run these suites as well, and more strictly: with one wall alone. */
const BY_BOTH_WALLS = ["tests/http/matrix/{twins,twins-webhooks,twins-migration,settings,export,views}.test.ts"];

/** Suites that kill workers, leave deliveries in flight, or change the settings or modules of their process. */
const OWN_PROCESS = [
  "tests/inngest/{cancellation,concurrency,events,failures,job-endpoint-bodies,steps}.test.ts",
  "tests/inngest/embedded-{cancellation,characters,checkpoint,fence,processes,refusals,setup,turns}.test.ts",
  "tests/webhooks/{database-faults,drain,enqueue-drain,in-flight,lost-secret,stopping,two-processes}.test.ts",
  "tests/faults/**/*.test.ts",
  "tests/walks/**/*.test.ts",
  "tests/scripts/{bootstrap,first-steps,prepare-database,postgres/cluster,service/rotate-secret}.test.ts",
  "tests/scripts/service/{processes/*,supervisor/*,web/log-console}.test.ts",
  BOTH_WALLS,
  "tests/database/organization-scope.test.ts",
  "tests/sessions/oidc-settings.test.ts",
  "tests/migration/preview/preview-objects.test.ts",
];

/** Suites that take a sample in `npm test`, and all there is for `isExhaustive`. */
const SAMPLED = [
  "tests/database/organization-scope.test.ts",
  "tests/faults/{database-restarts,two-workers}.test.ts",
  "tests/mcp/{conformance,roles}.test.ts",
  "tests/migration/{connections/changing-org,pipeline/read/bulk-reads}.test.ts",
  "tests/oauth/fuzz/fuzz.test.ts",
  "tests/records/paging.test.ts",
  "tests/scripts/postgres/cluster.test.ts",
  "tests/sessions/last-admin.test.ts",
  "tests/settings/export-organization.test.ts",
];

const WITHOUT_SAMPLING = { EXHAUSTIVE: "true" };

/**
 * Suites that take every point there is, thousands of records or of open migrations: decisions 0072, 0076 and 0080.
 * Apart from `npm test`, because they take long.
 */
const EXHAUSTIVE = [
  "tests/inngest/embedded-{crashes,suspects}.test.ts",
  "tests/migration/{duplicates/duplicates-repeatable,objects/objects-nothing-lost}.test.ts",
  "tests/migration/pipeline/{fault-matrix,read/source-that-hangs}.test.ts",
  "tests/migration/{relationships/relationships-counted,report/analysis/fault-matrix-analysis}.test.ts",
  "tests/migration/runs/{retry-sandbox,run-survives-kills}.test.ts",
  "tests/webhooks/{chaos,slow-endpoints}.test.ts",
  "tests/faults/many-open-migrations.test.ts",
];

/** What both job engines promise: run on the embedded one, and again on an Inngest server, if there is one. */
const ON_BOTH_ENGINES = ["cancellation", "concurrency", "events", "failures", "steps"].map(
  (name) => `tests/inngest/${name}.test.ts`,
);

/** Without a database. */
const UNIT = ["tests/**/*.unit.test.{ts,tsx}", "tests/architecture/**/*.test.ts", "sandbox-org/**/*.test.ts"];

export default defineConfig({
  test: {
    // One worker per core on two cores, so that suites which start servers get enough time.
    maxWorkers: 2,
    reporters: process.env.CI ? ["default"] : ["dot"],
    projects: [
      {
        ...shared,
        test: {
          ...sharingModules,
          name: "unit",
          expect: expectation,
          include: UNIT,
          globalSetup: [COMPILED],
          setupFiles: ["tests/support/set-test-settings.ts"],
          testTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          ...onDatabase,
          ...sharingModules,
          name: "database",
          include: ["tests/**/*.test.ts"],
          exclude: [
            ...UNIT,
            "tests/service/**",
            "tests/e2e/**",
            "tests/benchmarks/**",
            "tests/deployment/**",
            ...BY_BOTH_WALLS,
            ...OWN_PROCESS,
            ...EXHAUSTIVE,
          ],
        },
      },
      {
        ...shared,
        test: {
          ...onDatabase,
          name: "processes",
          globalSetup: [...onDatabase.globalSetup, "tests/inngest/support/say-what-is-left-out.ts"],
          include: OWN_PROCESS,
          exclude: [...UNIT, ...EXHAUSTIVE],
        },
      },
      {
        ...shared,
        // One suite at a time: each registers its functions at the same server, in place of those before.
        test: {
          ...onDatabase,
          name: "inngest-server",
          include: process.env.INNGEST_BASE_URL ? ON_BOTH_ENGINES : [],
          env: { ENGINE_UNDER_TEST: "inngest-server" },
          testTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        // Against the built service over HTTP. `npm test` starts it and sets SERVICE_FILE to its demo file.
        test: {
          name: "service",
          expect: expectation,
          include: ["tests/service/**/*.test.ts"],
          exclude: ["tests/service/specification/**"],
          globalSetup: ["tests/service/api/support/validator.ts"],
          setupFiles: ["tests/support/set-test-settings.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        // Like "service", but in a separate organization: these suites migrate into it and create other records.
        test: {
          name: "specification",
          expect: expectation,
          include: ["tests/service/specification/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        ...shared,
        // `npm run rehearse`.
        test: { ...onDatabase, name: "exhaustive", include: [...EXHAUSTIVE, ...SAMPLED], env: WITHOUT_SAMPLING },
      },
      {
        ...shared,
        // The isolation and fault suites once more, with two built web processes: `npm run rehearse`.
        test: {
          ...onDatabase,
          name: "two-webs",
          include: ["tests/http/matrix/**/*.test.ts", "tests/faults/{database-restarts,disk-full}.test.ts"],
          exclude: [BOTH_WALLS],
          env: WITHOUT_SAMPLING,
          setupFiles: [...onDatabase.setupFiles, "tests/support/serve-by-two-webs.ts"],
          fileParallelism: false,
        },
      },
      {
        ...shared,
        // What `npm run package` made, on PostgreSQL's own programs: `npm run rehearse`.
        test: {
          name: "deployment",
          expect: expectation,
          include: ["tests/deployment/**/*.test.ts"],
          setupFiles: ["tests/support/set-test-settings.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
