import { afterAll, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { runMigration as runMigrationJob } from "@/inngest/functions/run-migration";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { SalesforceError } from "@/lib/salesforce/errors";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource } from "@/tests/migration/support/scripted-source";
import { findMigration, startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";
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

test("the timeout of a source that fails now and then begins anew with each object that it counts", async () => {
  const source = new ScriptedSource({ Account: [], Contact: [] });
  let away = "FROM Account";
  source.beforeQuery = (soql) => {
    if (soql.startsWith("SELECT COUNT()") && soql.includes(away))
      throw new SalesforceError("source_error", "It is not available.", { status: 503, transient: true });
  };
  const key = await createMigration(["Account", "Contact"]);
  const run = await transaction((tx) => startRun(tx, key));
  const slice = () => workSlice(run, async () => source, 60_000);
  await expect(slice()).rejects.toMatchObject({ transient: true });
  await pool().query(`UPDATE migrations SET failure = failure || '{"since": "2026-01-01T00:00:00Z"}' WHERE id = $1`, [
    key.migrationId,
  ]);
  away = "FROM Contact";
  await expect(slice()).rejects.toMatchObject({ transient: true });
  away = "nothing";
  expect(await slice()).toBe("ended");
  expect(await findMigration(key.organizationId, key.migrationId)).toMatchObject({ status: "completed" });
});

test("objects are counted until a slice ends, one at least", async () => {
  const source = new ScriptedSource({ Account: [], Contact: [], Case: [] });
  const counted: string[] = [];
  source.beforeQuery = (soql) => counted.push(/^SELECT COUNT\(\) FROM (\w+)/.exec(soql)?.[1] ?? "");
  const key = await createMigration(["Account", "Contact", "Case"]);
  const run = await transaction((tx) => startRun(tx, key));
  const seen: string[][] = [];
  for (let slice = 0; slice < 3; slice += 1) {
    await workSlice(run, async () => source, 0);
    seen.push(counted.splice(0).filter((object) => object !== ""));
  }
  expect(seen).toEqual([["Account"], ["Contact"], ["Case", "Account"]]);
});
