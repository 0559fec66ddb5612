import { beforeEach, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { registerJobSender } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { saveConfiguration } from "@/lib/migration/configuration/configure-migration";
import { scheduleDeltas } from "@/lib/migration/runs/delta-schedule";
import { execute } from "@/lib/operation";
import { add, change, contextOf, delta, imported, OBJECTS, source } from "@/tests/migration/support/delta";
import {
  createMigration,
  finishedOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { undo } from "@/tests/migration/support/undo";
import { findMigration, startDelta, startRetry } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

function configure(migrationId: string, objects: object) {
  return pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [
    migrationId,
    configurationSchema.parse({ objects }),
  ]);
}

test("a delta leaves out what was deselected since, and goes on with it when it is selected again", async () => {
  const org = source();
  const key = await imported(org);
  await configure(key.migrationId, { Contact: { selected: false } });
  change(org, "Contact", 0, { LastName: "Changed" });
  change(org, "Contact", 1, { IsDeleted: true });
  const { status, lines } = await delta(key, org);
  expect([status, lines.Contact]).toMatchObject(["completed", { created: 2, updated: 0 }]);
  const left = await recordsOf("contacts", key.organizationId);
  expect(left[sourceId("003", 1)]).toMatchObject({ last_name: "Contact 1" });
  await configure(key.migrationId, {});
  expect((await delta(key, org)).lines).toMatchObject({ Contact: { updated: 1 } });
  expect(Object.keys(await recordsOf("contacts", key.organizationId))).toEqual([sourceId("003", 1)]);
});

test("a record that is restored while a delta reads its object for the first time is read", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  change(org, "Contact", 0, { IsDeleted: true });
  await runMigration(key, org, {
    configuration: configurationSchema.parse({ objects: { Contact: { selected: false } } }),
  });
  org.now = new Date(org.now.getTime() + 60_000);
  await configure(key.migrationId, {});
  restoreAtTheCount(org, "Contact", 0);
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Contact: { source: 2, created: 2 } } });
});

test("a record that a delta deleted is read by a run that has passed it when it is restored", async () => {
  const org = source();
  const key = await imported(org);
  change(org, "Contact", 0, { IsDeleted: true });
  await delta(key, org);
  org.now = new Date(org.now.getTime() + 60_000);
  restoreAtTheCount(org, "Contact", 0);
  expect(await runMigration(key, org)).toMatchObject({
    status: "completed",
    lines: { Contact: { source: 2, created: 1, unchanged: 1 } },
  });
});

/** Restores a record before the records of its object are counted for the second time, after they are read. */
function restoreAtTheCount(org: ReturnType<typeof source>, object: string, index: number): void {
  let counts = 0;
  org.beforeQuery = (soql) => {
    if (soql.startsWith(`SELECT COUNT() FROM ${object} `)) counts += 1;
    if (counts === 2) change(org, object, index, { IsDeleted: false });
  };
}

test("a delta that has missed a record is begun again from where the run before it ended", async () => {
  const org = source();
  const key = await imported(org);
  add(org, "Contact", sourceRecord("003", 3, { LastName: "Seen late" }));
  const [late = {}] = org.records.Contact?.splice(-1) ?? [];
  org.now = new Date(org.now.getTime() + 3_600_000);
  let counts = 0;
  org.beforeQuery = (soql) => {
    if (!soql.startsWith("SELECT COUNT() FROM Contact ")) return;
    counts += 1;
    if (counts === 2) org.records.Contact?.push(late);
  };
  const detail = expect.stringContaining("Contacts: Salesforce has 1, 0 are accounted for") as unknown;
  expect(await delta(key, org)).toMatchObject({ status: "failed", failure: { detail } });
  org.now = new Date(org.now.getTime() + 3_600_000);
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Contact: { created: 1 } } });
});

test("what no run has read whole is left to no delta, also after one from which it was deselected", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  org.beforeQuery = (soql) => {
    if (/FROM CaseComment .*LIMIT/.test(soql)) throw new Error("A fault that does not pass.");
  };
  expect((await runMigration(key, org)).status).toBe("failed");
  org.beforeQuery = () => undefined;
  await configure(key.migrationId, { CaseComment: { selected: false } });
  org.now = new Date(org.now.getTime() + 60_000);
  expect((await delta(key, org)).status).toBe("failed");
  await configure(key.migrationId, {});
  await expect(transaction((tx) => startDelta(tx, key))).rejects.toThrow(/did not read every record/);
});

test("a delta reads what was selected since as a whole, and from then on what changes", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  const without = { objects: { CaseComment: { selected: false }, Contact: { selected: false } } };
  await runMigration(key, org, { configuration: configurationSchema.parse(without) });
  org.now = new Date(org.now.getTime() + 60_000);
  await configure(key.migrationId, {});
  change(org, "Account", 0, { Name: "Changed" });
  const { status, lines } = await delta(key, org);
  expect([status, lines]).toMatchObject([
    "completed",
    { Account: { source: 1, updated: 1 }, Contact: { source: 2, created: 2 }, CaseComment: { source: 3, created: 3 } },
  ]);
  const comments = await recordsOf("case_comments", key.organizationId);
  expect(
    Object.values(comments)
      .map(({ position }) => position)
      .toSorted(),
  ).toEqual([1, 2, 3]);
  add(org, "Contact", sourceRecord("003", 3, { LastName: "New" }));
  expect((await delta(key, org)).lines).toMatchObject({
    Contact: { source: 1, created: 1 },
    CaseComment: { source: 0 },
  });
});

test("a delta chooses the API by what it reads, not by what earlier runs left out", async () => {
  const org = source();
  const key = await imported(org);
  change(org, "Account", 0, { Name: "Changed" });
  org.now = new Date(org.now.getTime() + 60_000);
  const run = await transaction((tx) => startDelta(tx, key));
  await pool().query(
    "UPDATE migration_objects SET carried = 40000, skipped = 40000 WHERE migration_id = $1 AND object = 'Account'",
    [key.migrationId],
  );
  await workToTheEnd(run, org);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { source: 40_001, updated: 1 } },
  });
  const { objects } = await findMigration(key.organizationId, key.migrationId);
  expect(objects.find(({ object }) => object === "Account")).toMatchObject({
    api: "rest",
    api_reason: "1 records, fewer than 30,000.",
  });
});

test("an object of a phase that has not run yet is not read by a delta", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  const later = configurationSchema.parse({ objects: { Case: { phase: 2 }, CaseComment: { phase: 2 } } });
  await runMigration(key, org, { configuration: later, phase: 1 });
  org.now = new Date(org.now.getTime() + 60_000);
  await delta(key, org);
  expect(await recordsOf("cases", key.organizationId)).toEqual({});
});

test("an object that is moved out of a phase that has not run yet is read whole by the next delta", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  const later = configurationSchema.parse({ objects: { Case: { phase: 2 }, CaseComment: { phase: 3 } } });
  await runMigration(key, org, { configuration: later, phase: 1 });
  org.now = new Date(org.now.getTime() + 60_000);
  await configure(key.migrationId, { CaseComment: { phase: 2 } });
  expect((await delta(key, org)).lines).toMatchObject({ Case: { source: 2, created: 2 } });
  expect(await recordsOf("case_comments", key.organizationId)).toEqual({});
  change(org, "Case", 0, { IsDeleted: true });
  await configure(key.migrationId, {});
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { CaseComment: { source: 3 } } });
  expect(Object.keys(await recordsOf("cases", key.organizationId))).toEqual([sourceId("500", 2)]);
});

test("what another migration made and an undo took away is not left to a delta", async () => {
  const org = source();
  const first = await imported(org);
  const second = await createMigration(OBJECTS, undefined, first.organizationId);
  await pool().query(`UPDATE migrations SET report = report || '{"org": {"id": "00D1"}}' WHERE organization_id = $1`, [
    first.organizationId,
  ]);
  await runMigration(second, org);
  await undo(await createContext({ organizationId: first.organizationId }), first);
  expect(await recordsOf("accounts", first.organizationId)).toEqual({});
  await expect(transaction((tx) => startDelta(tx, second))).rejects.toThrow(/an undo has removed some/);
  await expect(transaction((tx) => startRetry(tx, second))).rejects.toThrow(/an undo has removed some/);
  org.now = new Date(org.now.getTime() + 60_000);
  expect((await runMigration(second, org)).lines).toMatchObject({ Account: { created: 3 } });
  org.now = new Date(org.now.getTime() + 60_000);
  expect(await delta(second, org)).toMatchObject({ status: "completed" });
});

test("an undo ends the schedule, and what it left undone is not left to a delta", async () => {
  const org = source();
  const key = await imported(org);
  const every = (minutes: number) =>
    execute(scheduleDeltas, contextOf(key), { migration_id: key.migrationId, every_minutes: minutes });
  await pool().query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [key.migrationId]);
  expect(await every(15)).toMatchObject({ delta_schedule: { every_minutes: 15 } });
  await undo(await createContext({ organizationId: key.organizationId }), key);
  await expect(every(30)).rejects.toThrow(/`undone`/);
  await pool().query("UPDATE migrations SET status = 'failed' WHERE id = $1", [key.migrationId]);
  await expect(transaction((tx) => startDelta(tx, key))).rejects.toThrow(/an undo has removed some/);
  const { rows } = await pool().query("SELECT delta_every_minutes FROM migrations WHERE id = $1", [key.migrationId]);
  expect(rows).toEqual([{ delta_every_minutes: null }]);
});

test("a migration tells whose records earlier choices made, until a full run has read all of them", async () => {
  const org = source();
  const key = await imported(org);
  const save = (choices: object) =>
    inOrganization(key.organizationId, () =>
      saveConfiguration(contextOf(key), key.migrationId, configurationSchema.parse(choices)),
    );
  const changed = async () =>
    (await findMigration(key.organizationId, key.migrationId)).objects
      .filter(({ choices_changed: isChanged }) => isChanged)
      .map(({ object }) => object);
  expect(await changed()).toEqual([]);
  const unlike = { objects: { Contact: { fields: { LastName: "first_name" } }, Case: { api: "bulk" } } };
  await save(unlike);
  expect(await changed()).toEqual(["Contact"]);
  expect((await delta(key, org)).status).toBe("completed");
  expect(await changed()).toEqual(["Contact"]);
  await save({});
  expect(await changed()).toEqual([]);
  await save(unlike);
  await runMigration(key, org);
  expect(await changed()).toEqual([]);
  await save({});
  expect(await changed()).toEqual(["Contact"]);
  // As a release without tags does.
  await configure(key.migrationId, unlike.objects);
  await runMigration(key, org);
  expect(await changed()).toEqual([]);
});
