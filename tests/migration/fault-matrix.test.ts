import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { env } from "@/lib/env";
import { configuration } from "@/lib/migration/configuration/configuration-schema";
import { describeFailure } from "@/lib/migration/failure";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import type { Report } from "@/lib/migration/report/report-schema";
import type { MigrationKey } from "@/lib/migration/status";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import type { FaultRule } from "@/sandbox-org/faults/rule";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyzeOrg, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { READ_ERRORS } from "@/tests/migration/support/read-errors";
import { contentOf, expectWhole, stopOf } from "@/tests/migration/support/stopped-runs";
import { assess, complete, inspect, map, startRun, survey } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

/** Every phase of a run, by a request that only this phase sends, in the order of the run. */
const PHASES: Record<string, FaultRule> = {
  "the clock": { pathPattern: "/v67.0/?$" },
  people: { soql: "FROM User" },
  queues: { soql: "FROM Group" },
  "the first counts": { object: "Contact", soql: "COUNT()" },
  "a first page": { object: "Account", soql: "LIMIT 250" },
  "the fields": { pathPattern: "/sobjects/Contact/describe" },
  "a next page": { object: "Contact", soql: "Id > '" },
  "a new job": { pathPattern: "/jobs/query$", method: "POST" },
  "the state of a job": { pathPattern: "/jobs/query/\\w+$", method: "GET" },
  "the results of a job": { path: "/results" },
  "the tasks of e-mails": { object: "Task", soql: "Id IN (" },
  "the names of files": { object: "Attachment", soql: "ContentType" },
  "the visibility of posts": { object: "FeedItem", soql: "Id IN (" },
  "the parts of series": { soql: "RecurrenceActivityId IN (" },
  "the last counts": { object: "Task", soql: "COUNT()" },
};

/** Phases after the records, if files are copied. */
const FILE_PHASES: Record<string, FaultRule> = {
  "the content of files": { pathPattern: "/(?:Body|VersionData)$" },
  "the search for files": { object: "Attachment", soql: "CreatedDate" },
};

/** Errors after which the client asks again. */
const PASSING = new Set([
  "UNABLE_TO_LOCK_ROW",
  "CONCURRENT_REQUESTS",
  "EMPTY_500",
  "SERVER_UNAVAILABLE",
  "RESET",
  "TRUNCATED",
  "HTML_PAGE",
]);

/** Objects whose phases the others have too. */
const LEFT_OUT = Object.fromEntries(["CaseComment", "FeedItem", "Event"].map((name) => [name, { selected: false }]));

const choicesOf = (copy: boolean) =>
  configuration.parse({ objects: { ...LEFT_OUT, Case: { api: "bulk" } }, files: { copy, max_mb: 1 } });

const folder = mkdtempSync(join(tmpdir(), "faults-"));
let org: RunningOrg;
let client: SalesforceClient;
let undisturbed: Awaited<ReturnType<typeof contentOf>>;
let findings: string;

beforeAll(async () => {
  env.DATA_DIR = folder;
  org = await startSandboxOrg({ records: 100, seed: 3, pageSize: 12, bulkPolls: 1 });
  client = openClient({
    instanceUrl: org.instanceUrl,
    accessToken: org.accessToken,
    apiVersion: "67.0",
    retry: { retries: 0, backoffMs: 1 },
  });
  const key = await createMigration();
  expectWhole(await runMigration(key, client, { configuration: choicesOf(true) }));
  undisturbed = await contentOf(key);
  findings = findingsOf(await analyzeOrg(org));
});
afterAll(async () => {
  await org.stop();
  rmSync(folder, { recursive: true });
});

const start = (key: MigrationKey, copy: boolean): Promise<RunKey> =>
  transaction((tx) => startRun(tx, key, choicesOf(copy)));

/**
 * What a user may not see changes what is imported: without the series of a pattern it is imported itself, since
 * nothing says that there is another record of it, and stays when the user may see more later.
 */
const isLasting = (error: string, phase: string) => error === "INVALID_FIELD" && phase === "the parts of series";

/** Goes on with a run after its stop, as a person or the service would. */
async function goOn(key: MigrationKey, run: RunKey, copy: boolean): Promise<RunKey> {
  const { status } = await finishedOf(key);
  if (status === "paused")
    await pool().query("UPDATE migrations SET status = 'running', failure = NULL WHERE id = $1", [key.migrationId]);
  return status === "paused" || status === "running" ? run : start(key, copy);
}

/** Whether the run has not yet counted its objects. */
async function isNew({ migrationId }: RunKey): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT FROM migration_objects WHERE migration_id = $1 AND expected IS NULL",
    [migrationId],
  );
  return rowCount !== 0;
}

/** Runs a migration into an error in each of the phases, one after the other. Returns the stops that say nothing. */
async function meet(key: MigrationKey, error: string, phases: Record<string, FaultRule>, copy: boolean) {
  let run = await start(key, copy);
  const silent: string[] = [];
  for (const [phase, rule] of Object.entries(phases)) {
    if (isLasting(error, phase)) continue;
    // A run that waits has asked for the first of these counts before, a new one has not.
    const after = phase === "the last counts" && (await isNew(run)) ? 1 : 0;
    await org.setRules([{ ...rule, ...READ_ERRORS[error], after }]);
    const { kind, detail } = await stopOf(run, client);
    if (kind === "silent") silent.push(`${phase}: ${detail}`);
    run = await goOn(key, run, copy);
  }
  await org.setRules([]);
  expect(await stopOf(run, client)).toMatchObject({ kind: "completed" });
  return silent;
}

test.each(Object.keys(READ_ERRORS))(
  "%s in every phase of a run: it says why it stops, goes on, and ends as one that nothing disturbed",
  async (error) => {
    const key = await createMigration();
    expect(await meet(key, error, PHASES, false)).toEqual([]);
    expect(await meet(key, error, FILE_PHASES, true)).toEqual([]);
    expectWhole(await finishedOf(key));
    expect(await contentOf(key)).toEqual(undisturbed);
  },
);

/** The steps of an analysis that ask the org, each with its name. */
async function* stepsOf(key: MigrationKey): AsyncGenerator<[string, () => Promise<unknown>]> {
  let objects: Awaited<ReturnType<typeof survey>> = [];
  yield ["survey", async () => (objects = await survey(key))];
  const [first, ...others] = objects;
  if (first) yield ["map", () => map(key, first)];
  for (const object of others) await map(key, object);
  yield ["inspect", () => inspect(key)];
  yield ["assess", () => assess(key)];
}

/** What an analysis found, without what it measured. */
function findingsOf({ generated_at: _, estimate: __, readiness: ___, ...findings }: Report) {
  return JSON.stringify(findings).replaceAll(/"measured_ms":\d+/g, "");
}

test.each(Object.keys(READ_ERRORS))(
  "%s in every step of an analysis: it says why, and repeated it finds what one finds that nothing disturbed",
  async (error) => {
    const key = await connect(org);
    let after = 0;
    for await (const [step, work] of stepsOf(key)) {
      // The client itself repeats what passes, after a second.
      const times = PASSING.has(error) ? 1 : Infinity;
      await org.setRules([{ path: "/services/data", ...READ_ERRORS[error], after, ...(times === 1 && { times }) }]);
      const failure = await work().then(
        () => null,
        (thrown: unknown) => describeFailure(thrown, "analysis"),
      );
      expect([step, failure?.code]).not.toEqual([step, "internal_error"]);
      await org.setRules([]);
      await work();
      after += 1;
    }
    await complete(key);
    expect(findingsOf(await reportOf(key))).toBe(findings);
  },
);
