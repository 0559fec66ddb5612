import { setTimeout as delay } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { openClient } from "@/lib/salesforce/client";
import type { Supervised } from "@/scripts/service/supervisor/supervise";
import { kill, progressOf, startWorkers, untilBeyond } from "@/tests/migration/support/killed-worker";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { compareContent } from "@/tests/migration/support/same-content";
import { startRun } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

const RECORDS = 20_000;
const KILLS = 5;
const RESUMES_WITHIN_MS = 10_000;
/** Each kill is followed by two starts: of a worker, and of the separate process that then runs the interrupted job. */
const PATIENCE_MS = 300_000;

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

test(
  "an import whose worker is killed five times goes on by itself, and ends as one that nobody disturbed",
  async () => {
    const source = { instanceUrl: org.instanceUrl, accessToken: org.accessToken };
    const undisturbed = await createMigration(AUTOMATIC_OBJECTS, source);
    const expected = await runMigration(undisturbed, openClient({ ...source, apiVersion: "67.0" }));

    const key = await createMigration(AUTOMATIC_OBJECTS, source);
    const run = await transaction((tx) => startRun(tx, key, configurationSchema.parse({ objects: BY_BULK })));
    const data = { organization_id: key.organizationId, migration_id: key.migrationId, run_number: run.runNumber };
    await requestJob("migration/run.requested", data, `run-${key.migrationId}`);
    const startedAt = performance.now();
    const workers = (worker = startWorkers());

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
    const stored = Object.values(expected.lines).reduce((sum, { created }) => sum + created, 0);
    expect(await compareContent(undisturbed.organizationId, key.organizationId)).toEqual({
      same: stored,
      different: [],
    });
  },
  PATIENCE_MS,
);
