import { afterAll, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { runMigration as runMigrationJob } from "@/inngest/functions/run-migration";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createMigration } from "@/tests/migration/support/run-migration";
import { findMigration, startRun } from "@/tests/migration/support/within";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

const RECORDS = 500;

let org: RunningOrg;
let stop: () => Promise<void>;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS });
  stop = await startEngine([runMigrationJob]);
  registerSender();
});
afterAll(async () => {
  await stop();
  await org.stop();
});

test("a run whose source is down midway says so, goes on once it is back, and loses nothing", async () => {
  const key = await createMigration(AUTOMATIC_OBJECTS, { instanceUrl: org.instanceUrl, accessToken: org.accessToken });
  await org.setRules([{ object: "Case", action: "reset" }]);
  const run = await transaction((tx) => startRun(tx, key));
  const data = { organization_id: key.organizationId, migration_id: key.migrationId, run_number: run.runNumber };
  await requestJob("migration/run.requested", data, `run-${key.migrationId}`);
  const view = () => findMigration(key.organizationId, key.migrationId);

  const waiting = await until("the note that the source is away", async () => (await view()).waiting ?? false);
  expect(waiting.reason).toContain("broke");
  expect(await view()).toMatchObject({ status: "running", failure: null });

  await org.setRules([]);
  const ended = await until("the end of the run", async () => {
    const migration = await view();
    return migration.status !== "running" && migration;
  });
  expect(ended).toMatchObject({
    status: expect.stringMatching(/^completed/),
    waiting: null,
    failure: null,
    reconciled: true,
  });
  expect(ended.objects.reduce((sum, { source }) => sum + (source ?? 0), 0)).toBe(RECORDS);
});
