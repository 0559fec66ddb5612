import { beforeEach, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { registerJobSender } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { listRecordIssues, summarizeRecordIssues } from "@/lib/migration/record-issues";
import { execute, valueOf } from "@/lib/operation";
import {
  createMigration,
  finishedOf,
  issuesOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import {
  findMigration,
  startDelta,
  startRetry,
  startRun,
  storeIssues,
  workSlice,
} from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

/** Too many to be deleted in the transaction that starts a run. */
const MANY = 6000;

const source = () =>
  new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [sourceRecord("003", 1, { LastName: "C" })],
  });

/** A migration whose first run has left out many records of two objects. */
async function leftOut(): Promise<MigrationKey> {
  const key = await createMigration(["Account", "Contact"]);
  await runMigration(key, source());
  await pool().query(
    `INSERT INTO migration_record_issues
       (organization_id, migration_id, object, created_at, id, ext_id, outcome, code, reason)
     SELECT $1, $2, object, now(), uuidv7(), n, 'skipped', 'mirrored_by_email', ''
     FROM unnest(ARRAY['Account', 'Contact']) AS object, generate_series(1, ${MANY}) AS n`,
    [key.organizationId, key.migrationId],
  );
  await pool().query("UPDATE migration_objects SET skipped = $2 WHERE migration_id = $1", [key.migrationId, MANY]);
  return key;
}

async function listed({ organizationId, migrationId }: MigrationKey): Promise<unknown[]> {
  const context = await createContext({ organizationId });
  const input = { migration_id: migrationId };
  const page = valueOf(await execute(listRecordIssues, context, input)) as { data: unknown[] };
  const groups = valueOf(await execute(summarizeRecordIssues, context, input)) as { data: unknown[] };
  return [...page.data, ...groups.data];
}

const rowsOf = async (key: MigrationKey) => Object.keys(await issuesOf(key)).length;

test("a start deletes no large number of issues, and shows none; the job deletes them before it reads", async () => {
  const key = await leftOut();
  const run = await transaction((tx) => startRun(tx, key));
  expect([await rowsOf(key), await listed(key)]).toEqual([MANY, []]);
  const { objects } = await findMigration(key.organizationId, key.migrationId);
  expect(objects).toMatchObject([
    { object: "Account", status: "pending", created: 0, unchanged: 0, skipped: 0 },
    { object: "Contact", status: "pending", created: 0, unchanged: 0, skipped: 0 },
  ]);
  expect(await workSlice(run, async () => source(), 0)).toBe("more");
  expect((await finishedOf(key)).lines).toMatchObject({ Account: { status: "pending" } });
  await workToTheEnd(run, source());
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { unchanged: 1, skipped: 0 }, Contact: { unchanged: 1, skipped: 0 } },
  });
  expect(await rowsOf(key)).toBe(0);
});

test("an object with many issues that was deselected since is shown no more, and forgotten by the job", async () => {
  const key = await leftOut();
  const only = configurationSchema.parse({ objects: { Contact: { selected: false } } });
  const run = await transaction((tx) => startRun(tx, key, only));
  const found = await findMigration(key.organizationId, key.migrationId);
  expect(found.phases).toEqual([{ phase: 1, status: "running", objects: ["Account"] }]);
  await inOrganization(key.organizationId, () => workToTheEnd(run, source()));
  expect(Object.keys((await finishedOf(key)).lines)).toEqual(["Account"]);
});

test("an object of a phase that was cancelled at once is still to come when another phase has run", async () => {
  const key = await leftOut();
  const later = configurationSchema.parse({ objects: { Contact: { selected: true, phase: 2 } } });
  await transaction((tx) => startRun(tx, key, later, 2));
  await pool().query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [key.migrationId]);
  const run = await transaction((tx) => startRun(tx, key, later, 1));
  const phasesOf = async () => (await findMigration(key.organizationId, key.migrationId)).phases;
  const open = { phase: 2, status: "open", objects: ["Contact"] };
  expect(await phasesOf()).toEqual([{ phase: 1, status: "running", objects: ["Account"] }, open]);
  await workToTheEnd(run, source());
  expect(await phasesOf()).toEqual([{ phase: 1, status: "done", objects: ["Account"] }, open]);
  expect(await rowsOf(key)).toBe(0);
});

test("what a worker of the release before stores beside old issues is shown and kept, until a whole run", async () => {
  const key = await leftOut();
  const run = await transaction((tx) => startRun(tx, key));
  await pool().query("UPDATE migration_objects SET started_at = now() WHERE migration_id = $1 AND object = 'Account'", [
    key.migrationId,
  ]);
  const issue = { ext_id: sourceId("001", 9), outcome: "failed", code: "too_old", field: null, value: null } as const;
  await transaction((tx) => storeIssues(tx, run, "Account", [{ ...issue, reason: "It is too old." }]));
  const present = [
    { ext_id: issue.ext_id, outcome: "failed" },
    { object: "Account", count: 1 },
  ];
  expect(await listed(key)).toMatchObject(present);
  await pool().query(
    `UPDATE migration_objects SET status = 'done', read_until = now(), source = 0, skipped = 0, started_at = now()
     WHERE migration_id = $1 AND started_at IS NULL`,
    [key.migrationId],
  );
  await pool().query("UPDATE migrations SET status = 'completed' WHERE id = $1", [key.migrationId]);
  const { objects } = await findMigration(key.organizationId, key.migrationId);
  expect(objects?.find(({ object }) => object === "Account")).toMatchObject({ reconciled: false });
  for (const start of [startDelta, startRetry])
    await expect(transaction((tx) => start(tx, key))).rejects.toThrow("Run the migration again");
  await pool().query("UPDATE migrations SET status = 'running' WHERE id = $1", [key.migrationId]);
  await workToTheEnd(run, source());
  expect(Object.keys(await issuesOf(key))).toEqual([issue.ext_id]);
  expect(await listed(key)).toMatchObject(present);
});
