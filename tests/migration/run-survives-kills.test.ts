import { setTimeout as delay } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { configuration } from "@/lib/migration/configuration/configuration-schema";
import { MIGRATED_OBJECTS } from "@/lib/migration/objects/migrated-objects";
import type { MigrationKey } from "@/lib/migration/status";
import { openClient } from "@/lib/salesforce/client";
import { type Supervised, supervise } from "@/scripts/service/supervise";
import { WORKER_ARGS } from "@/scripts/service/worker-process";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

const RECORDS = 20_000;
const KILLS = 5;
const RESUMES_WITHIN_MS = 10_000;
/** Each kill is followed by two starts: of a worker, and of the separate process that then runs the interrupted job. */
const PATIENCE_MS = 300_000;
const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"];

/** Most records are read by jobs of the Bulk API, so that most kills come in the middle of one. */
const BY_BULK = Object.fromEntries(["Contact", "Case", "CaseComment", "Task"].map((name) => [name, { api: "bulk" }]));

let org: RunningOrg;
let worker: Supervised | undefined;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, seed: 5 });
  registerSender();
});
afterEach(async () => worker?.stop());
afterAll(() => org.stop());

/** Starts workers as the service does: when one ends, the next one starts. */
function startWorkers(): Supervised {
  const env = { ...process.env, LOG_LEVEL: "silent" };
  worker = supervise({ name: "worker", args: WORKER_ARGS, cwd: process.cwd(), env, print: () => undefined });
  return worker;
}

async function progressOf(key: MigrationKey): Promise<number> {
  const { lines, status } = await finishedOf(key);
  const sum = Object.values(lines).reduce(
    (all, { created, updated, unchanged, skipped, failed }) => all + created + updated + unchanged + skipped + failed,
    0,
  );
  return status === "running" ? sum : Number.POSITIVE_INFINITY;
}

/** Waits until more records than `records` are accounted for, or the run is over. */
async function untilBeyond(key: MigrationKey, records: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await progressOf(key)) <= records) {
    if (performance.now() > deadline) throw new Error(`No progress beyond ${records} records for a minute.`);
    await delay(5);
  }
}

/** Kills the worker and returns the milliseconds until the next one has made progress. */
async function kill(workers: Supervised, key: MigrationKey): Promise<number> {
  const pid = workers.pid();
  if (pid === undefined) throw new Error("There is no worker to kill.");
  const killed = performance.now();
  process.kill(pid, "SIGKILL");
  // Statements that the worker had sent may still be committed. They are not progress of the next worker.
  while (workers.pid() === pid || workers.pid() === undefined) await delay(5);
  await untilBeyond(key, await progressOf(key));
  return performance.now() - killed;
}

/** All records, with ids replaced by source ids, since ids differ between organizations. */
async function contents(organizationId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const names = new Map<string, string>();
  for (const resource of RESOURCES) {
    const found = await pool().query<{ id: string; ext_id: string; text: string }>(
      `SELECT id, ext_id, (to_jsonb(r) - '{organization_id,migration_id,owner_id,author_id}'::text[])::text AS text
       FROM ${resource} r WHERE organization_id = $1`,
      [organizationId],
    );
    for (const { id, ext_id, text } of found.rows) {
      names.set(id, ext_id);
      texts.set(ext_id, text);
    }
  }
  const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return new Map([...texts].map(([extId, text]) => [extId, text.replaceAll(idPattern, (id) => names.get(id) ?? id)]));
}

test(
  "an import whose worker is killed five times goes on by itself, and ends as one that nobody disturbed",
  async () => {
    const source = { instanceUrl: org.instanceUrl, accessToken: org.accessToken };
    const undisturbed = await createMigration(MIGRATED_OBJECTS, source);
    const expected = await runMigration(undisturbed, openClient({ ...source, apiVersion: "67.0" }));

    const key = await createMigration(MIGRATED_OBJECTS, source);
    const run = await transaction((tx) => startRun(tx, key, configuration.parse({ objects: BY_BULK })));
    const data = { organization_id: key.organizationId, migration_id: key.migrationId, run_number: run.runNumber };
    await requestJob("migration/run.requested", data, `run-${key.migrationId}`);
    const startedAt = performance.now();
    const workers = startWorkers();

    // At random moments: each within a fifth of the work, plus or minus some milliseconds.
    const moments = Array.from({ length: KILLS }, (_, index) =>
      Math.floor(((index + Math.random()) * RECORDS * 0.9) / KILLS),
    );
    const pauses: number[] = [];
    await untilBeyond(key, 0);
    const firstStart = performance.now() - startedAt;
    for (const moment of moments) {
      await untilBeyond(key, moment);
      await delay(Math.random() * 30);
      expect(await progressOf(key), `killed at ${moments.join(", ")}`).toBeLessThan(RECORDS);
      pauses.push(await kill(workers, key));
    }
    await untilBeyond(key, RECORDS);

    // On a busy machine, where even the first start takes seconds, two restarts may take correspondingly longer.
    const timeout = Math.max(RESUMES_WITHIN_MS, 5 * firstStart);
    expect(Math.max(...pauses), `pauses: ${pauses.map(Math.round).join(", ")} ms`).toBeLessThan(timeout);
    expect(await finishedOf(key)).toEqual(expected);
    const [before, after] = [await contents(undisturbed.organizationId), await contents(key.organizationId)];
    expect(after.size).toBe(before.size);
    expect([...after].filter(([extId, text]) => before.get(extId) !== text)).toEqual([]);
  },
  PATIENCE_MS,
);
