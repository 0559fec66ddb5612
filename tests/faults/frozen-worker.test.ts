import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { readBacklog } from "@/lib/observability/backlog";
import { openClient } from "@/lib/salesforce/client";
import type { Supervised } from "@/scripts/service/supervisor/supervise";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { progressOf, startWorkers, untilBeyond } from "@/tests/migration/support/killed-worker";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { compareContent } from "@/tests/migration/support/same-content";
import { startRun } from "@/tests/migration/support/within";

const RECORDS = 1000;
const FROZEN_AT = 300;
/** The frozen worker may hold a transaction, which PostgreSQL ends after a minute. */
const PATIENCE_MS = 600_000;
const eventually = { timeout: PATIENCE_MS, interval: 100 };

let org: RunningOrg;
const workers: Supervised[] = [];

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, seed: 6 });
  registerSender();
});
afterEach(async () => {
  for (const worker of workers) signal(worker, "SIGCONT");
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});
afterAll(() => org.stop());

function start(): Supervised {
  const worker = startWorkers();
  workers.push(worker);
  return worker;
}

function signal(worker: Supervised, name: NodeJS.Signals): void {
  const pid = worker.pid();
  if (pid !== undefined) process.kill(pid, name);
}

async function liveWorkers(): Promise<number> {
  return (await readBacklog()).workers;
}

test(
  "the import of a frozen worker is taken over by another; what the first one still does has no effect",
  async () => {
    const source = { instanceUrl: org.instanceUrl, accessToken: org.accessToken };
    const undisturbed = await createMigration(AUTOMATIC_OBJECTS, source);
    const expected = await runMigration(undisturbed, openClient({ ...source, apiVersion: "67.0" }));

    const key = await createMigration(AUTOMATIC_OBJECTS, source);
    const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse({})));
    const data = { organization_id: key.organizationId, migration_id: key.migrationId, run_number: run.runNumber };
    await requestJob("migration/run.requested", data, `run-${key.migrationId}`);
    const frozen = start();
    await untilBeyond(key, FROZEN_AT);
    signal(frozen, "SIGSTOP");
    expect(await progressOf(key)).toBeLessThan(RECORDS);

    start();
    await expect.poll(() => progressOf(key), eventually).toBe(Number.POSITIVE_INFINITY);
    expect(await finishedOf(key)).toEqual(expected);

    signal(frozen, "SIGCONT");
    await expect.poll(liveWorkers, eventually).toBe(2);
    expect(await finishedOf(key)).toEqual(expected);
    const stored = Object.values(expected.lines).reduce((sum, { created }) => sum + created, 0);
    expect(await compareContent(undisturbed.organizationId, key.organizationId)).toEqual({
      same: stored,
      different: [],
    });
  },
  PATIENCE_MS,
);
