import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { env } from "@/lib/env";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import type { FaultRule } from "@/sandbox-org/faults/rule";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { isMet, READ_ERRORS } from "@/tests/migration/support/read-errors";
import { contentOf, expectWhole, stopOf } from "@/tests/migration/support/stopped-runs";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

/** Every phase of a run, by a request that only this phase sends, in the order of a run with these objects. */
const PHASES: readonly { objects: readonly string[]; files?: true; phases: Record<string, FaultRule> }[] = [
  {
    objects: ["Account", "Contact"],
    phases: {
      "the clock": { pathPattern: "/v67.0/?$" },
      people: { soql: "FROM User" },
      queues: { soql: "FROM Group" },
      "the first counts": { object: "Contact", soql: "COUNT()" },
      "a first page": { object: "Account", soql: "LIMIT 250" },
      "the fields": { pathPattern: "/sobjects/Contact/describe" },
      "a next page": { object: "Contact", soql: "Id > '" },
      "the last counts": { object: "Contact", soql: "COUNT()" },
    },
  },
  {
    objects: ["Case"],
    phases: {
      "a new job": { pathPattern: "/jobs/query$", method: "POST" },
      "the state of a job": { pathPattern: "/jobs/query/\\w+$", method: "GET" },
      "the results of a job": { path: "/results" },
    },
  },
  { objects: ["FeedComment"], phases: { "the visibility of posts": { object: "FeedItem", soql: "Id IN (" } } },
  {
    objects: ["EmailMessage", "Task"],
    phases: {
      "the tasks of e-mails": { object: "Task", soql: "Id IN (" },
      "the names of files": { object: "Attachment", soql: "ContentType" },
      "the parts of series": { soql: "RecurrenceActivityId IN (" },
    },
  },
  {
    objects: ["Account"],
    files: true,
    phases: {
      "the content of files": { pathPattern: "/(?:Body|VersionData)$" },
      "the search for files": { object: "Attachment", soql: "CreatedDate" },
    },
  },
];

function choicesOf(objects: readonly string[], copy = false) {
  const named = AUTOMATIC_OBJECTS.map((name) => [name, { selected: objects.includes(name) }] as const);
  const chosen = { ...Object.fromEntries(named), Case: { selected: objects.includes("Case"), api: "bulk" } };
  return configurationSchema.parse({ objects: chosen, files: { copy, max_mb: 1 } });
}

const EVERYTHING = choicesOf(AUTOMATIC_OBJECTS, true);

const folder = mkdtempSync(join(tmpdir(), "faults-"));
let org: RunningOrg;
let client: SalesforceClient;
let undisturbed: Awaited<ReturnType<typeof contentOf>>;

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
  expectWhole(await runMigration(key, client, { configuration: EVERYTHING }));
  undisturbed = await contentOf(key);
});
afterAll(async () => {
  await org.stop();
  rmSync(folder, { recursive: true });
});

const start = (key: MigrationKey, choices: Configuration): Promise<RunKey> =>
  transaction((tx) => startRun(tx, key, choices));

/**
 * What a user may not see changes what is imported: without the series of a pattern it is imported itself, since
 * nothing says that there is another record of it, and stays when the user may see more later.
 */
const isLasting = (error: string, phase: string) => error === "INVALID_FIELD" && phase === "the parts of series";

/** Goes on with a run after its stop, as a person or the service would. */
async function goOn(key: MigrationKey, run: RunKey, choices: Configuration): Promise<RunKey> {
  const { status } = await finishedOf(key);
  if (status === "paused")
    await pool().query("UPDATE migrations SET status = 'running', failure = NULL WHERE id = $1", [key.migrationId]);
  return status === "paused" || status === "running" ? run : start(key, choices);
}

/** Whether the run has not yet counted its objects. */
async function isNew({ migrationId }: RunKey): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT FROM migration_objects WHERE migration_id = $1 AND expected IS NULL",
    [migrationId],
  );
  return rowCount !== 0;
}

/**
 * Runs a migration into an error in each of the phases, one after the other. Returns the stops that say nothing, and
 * the phases that met no error.
 */
async function meet(key: MigrationKey, error: string, { objects, files, phases }: (typeof PHASES)[number]) {
  const choices = choicesOf(objects, files);
  let run = await start(key, choices);
  const silent: string[] = [];
  for (const [phase, rule] of Object.entries(phases)) {
    if (isLasting(error, phase)) continue;
    // A run that waits has asked for the first of these counts before, a new one has not.
    const after = phase === "the last counts" && (await isNew(run)) ? 1 : 0;
    await org.setRules([{ ...rule, ...READ_ERRORS[error], after }]);
    const { kind, detail } = await stopOf(run, client);
    if (kind === "silent") silent.push(`${phase}: ${detail}`);
    if (!(await isMet(org))) silent.push(`${phase}: never met`);
    run = await goOn(key, run, choices);
  }
  await org.setRules([]);
  expect(await stopOf(run, client)).toMatchObject({ kind: "completed" });
  return silent;
}

test.each(Object.keys(READ_ERRORS))(
  "%s in every phase of a run: it says why it stops, goes on, and ends as one that nothing disturbed",
  async (error) => {
    const key = await createMigration();
    for (const group of PHASES) expect(await meet(key, error, group)).toEqual([]);
    expectWhole(await runMigration(key, client, { configuration: EVERYTHING }));
    expect(await contentOf(key)).toEqual(undisturbed);
  },
);
