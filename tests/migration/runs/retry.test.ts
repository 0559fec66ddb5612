import { expect, test } from "vitest";

import { canRetry } from "@/components/migration/migrate/issues/retries";
import { SCOPES } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { retryMigration } from "@/lib/migration/runs/start-retry";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute } from "@/lib/operation";
import { recordJobs } from "@/tests/migration/support/api-service";
import {
  createMigration,
  type Finished,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { findMigration, startDelta, startRetry, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const OBJECTS = ["Account", "Contact", "Case", "CaseComment"];

/** More than the custom fields of a record may have. */
const TOO_LONG = "x".repeat(1_100_000);

/** Account 1, case 1 and contact 3 fail, and with the case its comment. */
function faultySource(): ScriptedSource {
  const account = sourceId("001", 1);
  return new ScriptedSource({
    Account: [
      sourceRecord("001", 1, { Name: "Too long", Essay__c: TOO_LONG }),
      sourceRecord("001", 2, { Name: "Fine", ParentId: account }),
    ],
    Contact: [
      sourceRecord("003", 1, { LastName: "Of the first account", AccountId: account }),
      sourceRecord("003", 2, { LastName: "Fine" }),
      sourceRecord("003", 3, { LastName: "Without a date", CreatedDate: "1900-01-01T00:00:00.000+0000" }),
    ],
    Case: [
      sourceRecord("500", 1, { Subject: "Too long", CaseNumber: "00001", Essay__c: TOO_LONG }),
      sourceRecord("500", 2, { Subject: "Fine", CaseNumber: "00002" }),
    ],
    CaseComment: [
      sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "Second", CreatedDate: day(3) }),
      sourceRecord("00a", 2, { ParentId: sourceId("500", 1), CommentBody: "First", CreatedDate: day(2) }),
      sourceRecord("00a", 3, { ParentId: sourceId("500", 2), CommentBody: "Fine" }),
    ],
  });
}

const day = (number: number): string => `2024-03-0${number}T09:00:00.000+0000`;

async function retry(key: MigrationKey, org: ScriptedSource, milliseconds?: number): Promise<Finished> {
  const run = await transaction((tx) => startRetry(tx, key));
  await workToTheEnd(run, org, milliseconds);
  return finishedOf(key);
}

async function configure({ migrationId }: MigrationKey, chosen: Partial<Configuration>): Promise<void> {
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [
    migrationId,
    configurationSchema.parse(chosen),
  ]);
}

const WITHOUT_ESSAYS: Partial<Configuration> = {
  objects: {
    Account: { selected: true, fields: { Essay__c: null }, values: {} },
    Case: { selected: true, fields: { Essay__c: null }, values: {} },
  },
};

test("a retry reads only what failed, and with a mended configuration it comes in with all that needs it", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  const first = await runMigration(key, org);
  expect(first).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { failed: 1 }, Contact: { failed: 1 }, Case: { failed: 1 }, CaseComment: { failed: 2 } },
  });
  const read: string[] = [];
  org.beforeQuery = (soql) => read.push(soql);
  await configure(key, WITHOUT_ESSAYS);
  const again = await retry(key, org);
  expect(read.filter((soql) => /COUNT/.test(soql))).toEqual([]);
  expect(read.filter((soql) => /FROM (?:Account|Contact|Case|CaseComment) /.test(soql) && !/Id IN/.test(soql))).toEqual(
    [],
  );
  expect(again).toMatchObject({
    status: "completed_with_errors",
    lines: {
      Account: { source: 2, created: 2, failed: 0 },
      Contact: { source: 3, created: 2, failed: 1 },
      Case: { source: 2, created: 2, failed: 0 },
      CaseComment: { source: 3, created: 3, failed: 0 },
    },
  });
  const [accounts, contacts, comments] = [
    await recordsOf("accounts", key.organizationId),
    await recordsOf("contacts", key.organizationId),
    await recordsOf("case_comments", key.organizationId),
  ];
  const parent = accounts[sourceId("001", 1)]?.id;
  expect(accounts[sourceId("001", 2)]).toMatchObject({ parent_account_id: parent });
  expect(contacts[sourceId("003", 1)]).toMatchObject({ account_id: parent });
  expect([comments[sourceId("00a", 2)]?.position, comments[sourceId("00a", 1)]?.position]).toEqual([1, 2]);
  expect(Object.keys(await issuesOf(key))).toEqual([sourceId("003", 3)]);
});

test("what was mended in the source comes in, what is gone is skipped, and the rest fails again", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  const [account, contact, aCase] = [org.records.Account?.[0], org.records.Contact?.[2], org.records.Case?.[0]];
  Object.assign(account ?? {}, { IsDeleted: true, SystemModstamp: "2026-07-01T09:00:00.000+0000" });
  Object.assign(contact ?? {}, { CreatedDate: day(1) });
  Object.assign(aCase ?? {}, { CreatedDate: "1900-01-01T00:00:00.000+0000", Essay__c: null });
  org.records.CaseComment?.shift();
  const again = await retry(key, org);
  expect(again).toMatchObject({
    status: "completed_with_errors",
    lines: {
      Account: { source: 2, created: 1, skipped: 1, failed: 0 },
      Contact: { source: 3, created: 3, failed: 0 },
      Case: { source: 2, created: 1, failed: 1 },
      CaseComment: { source: 3, created: 1, skipped: 1, failed: 1 },
    },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("001", 1)]: { outcome: "skipped", code: "deleted_in_source" },
    [sourceId("500", 1)]: { outcome: "failed", code: "invalid_created_date" },
    [sourceId("00a", 1)]: { outcome: "skipped", code: "gone_in_source" },
    [sourceId("00a", 2)]: { outcome: "failed", code: "missing_parent" },
  });
});

test("a record that was left out without its parent comes in when the parent does", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  const withoutOrphans = { selected: true, fields: {}, values: {}, relationships: { AccountId: "leave_out" } } as const;
  const { lines } = await runMigration(key, org, { configuration: { objects: { Contact: withoutOrphans } } });
  expect(lines.Contact).toMatchObject({ skipped: 1, failed: 1 });
  await configure(key, { objects: { ...WITHOUT_ESSAYS.objects, Contact: withoutOrphans } });
  expect((await retry(key, org)).lines.Contact).toMatchObject({ source: 3, created: 2, skipped: 0, failed: 1 });
});

test("a retry that stops after every batch tells how far it is, and ends with the same sums", async () => {
  const accounts = Array.from({ length: 1000 }, (_, index) =>
    sourceRecord("001", index + 1, { Name: `Account ${index}`, CreatedDate: "1900-01-01T00:00:00.000+0000" }),
  );
  const org = new ScriptedSource({ Account: accounts });
  const key = await createMigration(["Account"]);
  expect((await runMigration(key, org)).lines.Account).toMatchObject({ failed: 1000 });
  for (const [index, account] of accounts.entries()) if (index % 2 === 0) account.CreatedDate = day(1);
  const run = await transaction((tx) => startRetry(tx, key));
  expect(await workSlice(run, async () => org, 0)).toBe("more");
  expect((await finishedOf(key)).lines.Account).toMatchObject({ created: 200, failed: 800 });
  const { objects } = await findMigration(key.organizationId, key.migrationId);
  expect(objects[0]?.read_in_run).toEqual({ done: 400, total: 1000 });
  await workToTheEnd(run, org, 0);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed_with_errors",
    lines: { Account: { source: 1000, created: 500, failed: 500 } },
  });
});

test("the page offers a retry where it can start, also again after one that was cancelled", async () => {
  const org = faultySource();
  const key = await createMigration(["Account", "Case"]);
  const isOffered = async () => canRetry(await findMigration(key.organizationId, key.migrationId));
  await runMigration(key, org);
  expect(await isOffered()).toBe(true);
  await transaction((tx) => startRetry(tx, key));
  await pool().query("UPDATE migrations SET status = 'cancelled' WHERE id = $1", [key.migrationId]);
  expect(await isOffered()).toBe(true);
  expect(await retry(key, org)).toMatchObject({ status: "completed_with_errors", lines: { Account: { failed: 1 } } });
  await pool().query("UPDATE migration_objects SET source = NULL WHERE migration_id = $1", [key.migrationId]);
  await pool().query("UPDATE migrations SET run_kind = 'full' WHERE id = $1", [key.migrationId]);
  expect(await isOffered()).toBe(false);
});

test("a retry leaves alone what was deselected since, which the Salesforce user may no longer see", async () => {
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  const { lines } = await runMigration(key, org);
  delete org.records.Contact;
  const deselected = { selected: false, fields: {}, values: {} };
  await configure(key, { objects: { ...WITHOUT_ESSAYS.objects, Contact: deselected } });
  expect(await retry(key, org)).toMatchObject({
    status: "completed_with_errors",
    failure: null,
    lines: { Account: { failed: 0 }, Contact: lines.Contact, Case: { failed: 0 } },
  });
  await expect(transaction((tx) => startRetry(tx, key))).rejects.toThrow(/^No record of an object that is still sel/);
});

test("an object that was deselected before a delta had looked for its deletions keeps no retry back", async () => {
  const org = faultySource();
  org.now = new Date();
  org.now.setUTCMilliseconds(0);
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  org.now = new Date(org.now.getTime() + 60_000);
  await pool().query(
    "UPDATE migration_objects SET are_deletions_done = false WHERE migration_id = $1 AND object = 'Contact'",
    [key.migrationId],
  );
  await configure(key, { objects: { Contact: { selected: false, fields: {}, values: {} } } });
  const run = await transaction((tx) => startDelta(tx, key));
  await workToTheEnd(run, org);
  expect((await retry(key, org)).lines).toMatchObject({ Account: { failed: 1 } });
});

test("a retry is refused where nothing failed, and where not everything was read", async () => {
  const org = faultySource();
  const key = await createMigration(["Account", "Case"]);
  const refused = (detail: RegExp) => expect(transaction((tx) => startRetry(tx, key))).rejects.toThrow(detail);
  await refused(/is ready to run/);
  await runMigration(key, org, { configuration: WITHOUT_ESSAYS });
  await refused(/^No record of an object that is still selected failed in the last run/);
  await pool().query("UPDATE migration_objects SET source = NULL WHERE migration_id = $1", [key.migrationId]);
  await refused(/did not read every record/);
});

test("the request starts a run of the kind `retry`, which the audit log has", async () => {
  const jobs = recordJobs();
  const org = faultySource();
  const key = await createMigration(OBJECTS);
  await runMigration(key, org);
  const context = {
    requestId: "test",
    organizationId: key.organizationId,
    userId: "01900000-0000-7000-8000-000000000001",
    role: "admin" as const,
    clientId: null,
    scopes: new Set(SCOPES),
    address: null,
  };
  const input = { migration_id: key.migrationId };
  expect(await execute(retryMigration, context, input)).toMatchObject({
    status: "running",
    run_kind: "retry",
    run_number: 2,
  });
  expect(jobs.asked).toMatchObject([{ name: "migration/run.requested", data: { run_number: 2 } }]);
  await expect(execute(retryMigration, context, input)).rejects.toThrow(/is running/);
  const { rows } = await pool().query("SELECT details FROM audit_events WHERE organization_id = $1 AND action = $2", [
    key.organizationId,
    "migration.retried",
  ]);
  expect(rows).toMatchObject([{ details: { ...input, host: expect.any(String) as string } }]);
});
