import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";
import { startDueDeltas } from "@/lib/migration/runs/start-delta";
import { execute } from "@/lib/operation";
import { OBJECTS, add, change, contextOf, deletedOf, delta, imported, source } from "@/tests/migration/support/delta";
import { recordJobs } from "@/tests/migration/support/api-service";
import {
  createMigration,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { undo } from "@/tests/migration/support/undo";
import { findMigration, startDelta, startRetry, workSlice } from "@/tests/migration/support/within";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction as owned } from "@/tests/support/owner";

test("a delta imports what was created, changed and deleted, reads nothing else, and its sums close", async () => {
  const org = source();
  const key = await imported(org);
  change(org, "Account", 0, { Name: "Renamed" });
  add(org, "Contact", sourceRecord("003", 3, { LastName: "New", AccountId: sourceId("001", 3) }));
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: sourceId("500", 2), CommentBody: "First of its case" }));
  change(org, "Contact", 1, { IsDeleted: true });
  const read: string[] = [];
  org.beforeQuery = (soql) => read.push(soql);
  const { status, lines } = await delta(key, org);
  expect(read.filter((soql) => / FROM (?:Account|Contact|Case|CaseComment) /.test(soql))).toSatisfy((soqls: string[]) =>
    soqls.every((soql) => soql.includes("SystemModstamp >= ")),
  );
  expect(status).toBe("completed");
  expect(lines).toMatchObject({
    Account: { source: 1, created: 0, updated: 1 },
    Contact: { source: 1, created: 1, updated: 0 },
    Case: { source: 0, unchanged: 0 },
    CaseComment: { source: 1, created: 1 },
  });
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  const [accounts, contacts, comments] = [
    await recordsOf("accounts", key.organizationId),
    await recordsOf("contacts", key.organizationId),
    await recordsOf("case_comments", key.organizationId),
  ];
  expect(accounts[sourceId("001", 1)]).toMatchObject({ name: "Renamed", version: 2 });
  expect(Object.keys(contacts).toSorted()).toEqual([sourceId("003", 1), sourceId("003", 3)]);
  expect(contacts[sourceId("003", 3)]).toMatchObject({ account_id: accounts[sourceId("001", 3)]?.id });
  expect(comments[sourceId("00a", 4)]).toMatchObject({ position: 1 });
  const again = await delta(key, org);
  expect(again.status).toBe("completed");
  expect(await recordsOf("contacts", key.organizationId)).toEqual(contacts);
});

test("a delta in slices of one batch ends as in one go, and tells what it has read", async () => {
  const org = source();
  const key = await imported(org);
  for (const index of [0, 1]) change(org, "Case", index, { Subject: "Changed" });
  change(org, "CaseComment", 0, { IsDeleted: true });
  const run = await transaction((tx) => startDelta(tx, key));
  org.now = new Date(org.now.getTime() + 60_000);
  for (let slices = 0; (await workSlice(run, async () => org, 0)) !== "ended"; slices += 1)
    expect(slices).toBeLessThan(40);
  expect(await finishedOf(key)).toMatchObject({ status: "completed", lines: { Case: { source: 2, updated: 2 } } });
  const { objects } = await findMigration(key.organizationId, key.migrationId);
  expect(objects.find(({ object }) => object === "Case")?.read_in_run).toEqual({ done: 2, total: 2 });
  expect(await deletedOf(key)).toEqual({ CaseComment: 1 });
});

test("what was deleted there and edited here stays, and is listed; so does a case with an entry of ours", async () => {
  const org = source();
  const key = await imported(org);
  await pool().query("UPDATE accounts SET name = 'Ours', version = version + 1 WHERE ext_id = $1", [
    sourceId("001", 2),
  ]);
  await pool().query("UPDATE case_comments SET version = version + 1 WHERE ext_id = $1", [sourceId("00a", 2)]);
  for (const index of [1, 2]) change(org, "Account", index, { IsDeleted: true });
  change(org, "Case", 0, { IsDeleted: true });
  const { status, lines } = await delta(key, org);
  expect({ status, account: lines.Account, aCase: lines.Case }).toMatchObject({
    status: "completed",
    account: { source: 1, skipped: 1 },
    aCase: { source: 1, skipped: 1 },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("001", 2)]: { outcome: "skipped", code: "edited_here" },
    [sourceId("500", 1)]: { outcome: "skipped", code: "edited_here" },
  });
  expect(await deletedOf(key)).toEqual({ Account: 1 });
});

test("a case that was deleted goes with its entries, comes back when it is undeleted, and keeps its id", async () => {
  const org = source();
  const key = await imported(org);
  const before = await recordsOf("cases", key.organizationId);
  change(org, "Case", 0, { IsDeleted: true });
  for (const index of [0, 1, 2]) change(org, "CaseComment", index, { IsDeleted: true });
  await delta(key, org);
  expect(await recordsOf("case_comments", key.organizationId)).toEqual({});
  expect(Object.keys(await recordsOf("cases", key.organizationId))).toEqual([sourceId("500", 2)]);
  change(org, "Case", 0, { IsDeleted: false });
  for (const index of [0, 1, 2]) change(org, "CaseComment", index, { IsDeleted: false });
  expect((await delta(key, org)).lines).toMatchObject({ Case: { created: 1 }, CaseComment: { created: 3 } });
  const [back] = [await recordsOf("cases", key.organizationId)];
  expect(back[sourceId("500", 1)]?.id).toBe(before[sourceId("500", 1)]?.id);
});

test("what failed before stays counted and listed until a delta or a retry reads it", async () => {
  const org = source();
  const [first, second] = org.records.Account ?? [];
  Object.assign(first ?? {}, { CreatedDate: "1900-01-01T00:00:00.000+0000" });
  Object.assign(second ?? {}, { CreatedDate: "1900-01-01T00:00:00.000+0000" });
  const key = await imported(org);
  change(org, "Account", 0, { CreatedDate: "2024-01-01T00:00:00.000+0000" });
  change(org, "Account", 2, { Name: "Renamed" });
  expect(await delta(key, org)).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { source: 3, created: 1, updated: 1, failed: 1 } },
  });
  Object.assign(second ?? {}, { CreatedDate: "2024-01-01T00:00:00.000+0000" });
  const run = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(run, org);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { source: 3, created: 2, updated: 1, failed: 0 } },
  });
});

test("a delta that failed is begun again from where the last complete run ended", async () => {
  const org = source();
  const key = await imported(org);
  change(org, "Account", 0, { Name: "Renamed" });
  change(org, "Contact", 0, { LastName: "Renamed" });
  await pool().query("UPDATE migrations SET status = 'completed' WHERE id = $1", [key.migrationId]);
  const run = await transaction((tx) => startDelta(tx, key));
  expect(await workSlice(run, async () => org, 0)).toBe("more");
  await pool().query("UPDATE migrations SET status = 'failed' WHERE id = $1", [key.migrationId]);
  const { status, lines } = await delta(key, org);
  expect({ status, ...lines }).toMatchObject({
    status: "completed",
    Account: { source: 1 },
    Contact: { source: 1, updated: 1 },
  });
});

test("an undo brings back what another migration had made and a delta deleted", async () => {
  recordJobs();
  const org = source();
  const first = await imported(org);
  const before = await recordsOf("case_comments", first.organizationId);
  const second = await createMigration(OBJECTS, undefined, first.organizationId);
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  change(org, "Case", 0, { IsDeleted: true });
  for (const index of [0, 1, 2]) change(org, "CaseComment", index, { IsDeleted: true });
  await delta(second, org);
  expect(await recordsOf("case_comments", first.organizationId)).toEqual({});
  await undo(contextOf(second), second);
  const idsOf = (records: typeof before) => Object.values(records).map(({ id, case_id }) => ({ id, case_id }));
  expect(idsOf(await recordsOf("case_comments", first.organizationId))).toEqual(expect.arrayContaining(idsOf(before)));
});

test("a delta is refused before a run, and once Salesforce may have forgotten deletions", async () => {
  const key = await createMigration(OBJECTS);
  const refused = (detail: RegExp) => expect(transaction((tx) => startDelta(tx, key))).rejects.toThrow(detail);
  await refused(/is ready to run/);
  const org = source();
  await runMigration(key, org);
  await pool().query("UPDATE migration_objects SET read_until = now() - interval '15 days' WHERE migration_id = $1", [
    key.migrationId,
  ]);
  await refused(/more than 14 days ago/);
});

test("a schedule starts a delta when it is due, once, and none after it was removed", async () => {
  const jobs = recordJobs();
  const org = source();
  const key = await imported(org);
  const context = contextOf(key);
  const input = { migration_id: key.migrationId };
  const scheduled = await execute(scheduleDeltas, context, { ...input, every_minutes: 15 });
  expect(scheduled).toMatchObject({ status: "completed", delta_schedule: { every_minutes: 15 } });
  await startDueDeltas();
  const mine = () => jobs.asked.filter(({ data }) => JSON.stringify(data).includes(key.migrationId));
  expect(mine()).toEqual([]);
  const due = () =>
    pool().query("UPDATE migrations SET delta_next_at = now() - interval '2 hours' WHERE id = $1", [key.migrationId]);
  await due();
  await Promise.all([startDueDeltas(), startDueDeltas()]);
  expect(mine()).toMatchObject([{ name: "migration/run.requested", data: { run_number: 2 } }]);
  await due();
  await startDueDeltas();
  expect(mine()).toHaveLength(1);
  await workToTheEnd({ ...key, runNumber: 2 }, org);
  expect(await execute(unscheduleDeltas, context, input)).toMatchObject({ status: "completed", delta_schedule: null });
  await startDueDeltas();
  expect(mine()).toHaveLength(1);
});

test("a schedule that is as it was leaves no trace, also where there is none", async () => {
  const key = await imported(source());
  const input = { migration_id: key.migrationId };
  for (const minutes of [null, 15, 15, 30, null, null])
    await (minutes === null
      ? execute(unscheduleDeltas, contextOf(key), input)
      : execute(scheduleDeltas, contextOf(key), { ...input, every_minutes: minutes }));
  const { rows: told } = await pool().query<{ minutes: number | null }>(
    `SELECT (details ->> 'every_minutes')::int AS minutes FROM audit_events
     WHERE organization_id = $1 AND action = 'migration.deltas_scheduled' ORDER BY id`,
    [key.organizationId],
  );
  expect(told.map(({ minutes }) => minutes)).toEqual([15, 30, null]);
  const history = "SELECT FROM migration_history WHERE migration_id = $1 AND event::text LIKE 'delta_%scheduled'";
  expect((await pool().query(history, [key.migrationId])).rowCount).toBe(3);
});

/** A migration of which a scheduled delta is due, and the runs that were asked for since. */
async function dueDelta() {
  const jobs = recordJobs();
  const key = await imported(source());
  await execute(scheduleDeltas, contextOf(key), { migration_id: key.migrationId, every_minutes: 15 });
  const due = "UPDATE migrations SET delta_next_at = now() - interval '2 hours' WHERE id = $1";
  await pool().query(due, [key.migrationId]);
  return { key, asked: () => jobs.asked.filter(({ data }) => JSON.stringify(data).includes(key.migrationId)) };
}

async function refusalsOf({ migrationId }: MigrationKey): Promise<number | null> {
  const refused = "SELECT FROM migration_history WHERE migration_id = $1 AND event = 'delta_refused'";
  return (await pool().query(refused, [migrationId])).rowCount;
}

test("a schedule that is removed while its delta is about to start starts none, and none is refused", async () => {
  const { key, asked } = await dueDelta();
  let swept: Promise<number> | undefined;
  await owned(async (client) => {
    await client.query("UPDATE migrations SET delta_every_minutes = NULL, delta_next_at = NULL WHERE id = $1", [
      key.migrationId,
    ]);
    swept = startDueDeltas();
    await untilLockWaits(1);
  });
  expect(await swept).toBe(1);
  expect(asked()).toEqual([]);
  const { status, delta_schedule: schedule } = await findMigration(key.organizationId, key.migrationId);
  expect({ status, schedule }).toEqual({ status: "completed", schedule: null });
  expect(await refusalsOf(key)).toBe(0);
});

/** Sweeps once, while every start of a run fails with this error code. */
async function sweepFailing(code: string): Promise<void> {
  await pool().query(`
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'broken off' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER break_off BEFORE UPDATE OF run_number ON migrations FOR EACH ROW EXECUTE FUNCTION break_off()`);
  try {
    expect(await startDueDeltas()).toBe(1);
  } finally {
    await pool().query("DROP TRIGGER break_off ON migrations; DROP FUNCTION break_off");
  }
}

test("a scheduled delta whose start breaks off is due at the next sweep, and none is refused", async () => {
  const { key, asked } = await dueDelta();
  await sweepFailing("40P01");
  expect(asked()).toEqual([]);
  expect(await refusalsOf(key)).toBe(0);
  expect(await startDueDeltas()).toBe(1);
  expect(asked()).toMatchObject([{ name: "migration/run.requested", data: { run_number: 2 } }]);
});

test("a scheduled delta that a defect keeps from starting is told once, and due at its next time", async () => {
  const { key, asked } = await dueDelta();
  await sweepFailing("22023");
  expect(await refusalsOf(key)).toBe(1);
  expect(await startDueDeltas()).toBe(0);
  expect(asked()).toEqual([]);
});
