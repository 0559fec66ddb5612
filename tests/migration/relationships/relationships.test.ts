import { expect, test } from "vitest";

import { pool as database, transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { linkWaiting } from "@/lib/migration/pipeline/load/link-waiting";
import { createMigration, recordsOf, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { ACCOUNT, CASE, chain, type Choices, CONTACT, only, source } from "@/tests/migration/support/related-records";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

async function waitingOf({ organizationId }: MigrationKey): Promise<number> {
  const { rowCount } = await pool().query("SELECT FROM waiting_links WHERE organization_id = $1", [organizationId]);
  return rowCount ?? 0;
}

test("what is imported before the record that it names is linked when that arrives, in whatever phase", async () => {
  const key = await createMigration();
  const org = source();
  await runMigration(key, org, { configuration: only(["Task"]) });
  await runMigration(key, org, { configuration: only(["Case"]) });
  await runMigration(key, org, { configuration: only(["Contact"]) });
  expect(await waitingOf(key)).toBe(4);
  const before = (await recordsOf("contacts", key.organizationId))[CONTACT];
  expect(before).toMatchObject({ account_id: null, custom_fields: { AccountId: ACCOUNT }, version: 1 });

  await runMigration(key, org, { configuration: only(["Account"]) });
  expect(await waitingOf(key)).toBe(0);
  const account = (await recordsOf("accounts", key.organizationId))[ACCOUNT];
  const contact = (await recordsOf("contacts", key.organizationId))[CONTACT];
  const found = (await recordsOf("cases", key.organizationId))[CASE];
  // A new version: somebody may have read the former one.
  expect(contact).toMatchObject({ account_id: account?.id, custom_fields: {}, version: 2 });
  expect(found).toMatchObject({ account_id: account?.id, contact_id: contact?.id, custom_fields: {} });
  const tasks = await recordsOf("activities", key.organizationId);
  expect(tasks[sourceId("00T", 1)]).toMatchObject({
    account_id: account?.id,
    contact_id: contact?.id,
    case_id: found?.id,
    custom_fields: {},
  });
  expect(tasks[sourceId("00T", 2)]).toMatchObject({ account_id: account?.id, custom_fields: {} });

  const again = await runMigration(key, org, { configuration: only(AUTOMATIC_OBJECTS) });
  for (const line of Object.values(again.lines)) expect(line).toMatchObject({ unchanged: line.source });
});

test("a record that was linked by hand meanwhile keeps its link", async () => {
  const key = await createMigration();
  const org = source();
  await runMigration(key, org, { configuration: only(["Contact"]) });
  const other = await runMigration(key, new ScriptedSource({ Account: [sourceRecord("001", 7, { Name: "Other" })] }), {
    configuration: only(["Account"]),
  });
  expect(other.status).toBe("completed");
  const accounts = await recordsOf("accounts", key.organizationId);
  await pool().query("UPDATE contacts SET account_id = $2 WHERE organization_id = $1", [
    key.organizationId,
    accounts[sourceId("001", 7)]?.id,
  ]);
  await runMigration(key, org, { configuration: only(["Account"]) });
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]).toMatchObject({
    account_id: accounts[sourceId("001", 7)]?.id,
    version: 1,
  });
  expect(await waitingOf(key)).toBe(0);
});

test("links that are made later are sent as events where the import sends events", async () => {
  const key = await createMigration();
  const org = source();
  await runMigration(key, org, { configuration: only(["Contact"]) });
  await runMigration(key, org, { configuration: { ...only(["Account"]), send_events: true } });
  const { rows } = await pool().query<{ object: Record<string, unknown>; previous: Record<string, unknown> }>(
    "SELECT object, previous FROM events WHERE organization_id = $1 AND type = 'contact.updated'",
    [key.organizationId],
  );
  const account = (await recordsOf("accounts", key.organizationId))[ACCOUNT];
  expect(rows).toMatchObject([
    { object: { account_id: account?.id }, previous: { account_id: null, custom_fields: { AccountId: ACCOUNT } } },
  ]);
});

test("an import in which every link finds its record stores nothing about waiting", async () => {
  const key = await createMigration();
  await runMigration(key, source());
  expect(await waitingOf(key)).toBe(0);
});

test("with keep_id, the link stays empty when the record arrives, in this run and when it is read again", async () => {
  const key = await createMigration();
  const org = source();
  const keep = { Contact: { AccountId: "keep_id" }, Task: { WhatId: "keep_id" } } satisfies Choices;
  await runMigration(key, org, { configuration: only(["Contact", "Task"], keep) });
  await runMigration(key, org, { configuration: only(["Account"], keep) });
  const again = await runMigration(key, org, { configuration: only(["Account", "Contact", "Task"], keep) });
  expect(again.lines).toMatchObject({ Contact: { unchanged: 1 } });
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]).toMatchObject({
    account_id: null,
    custom_fields: { AccountId: ACCOUNT },
  });
  const tasks = await recordsOf("activities", key.organizationId);
  expect(tasks[sourceId("00T", 2)]).toMatchObject({ account_id: null, custom_fields: { WhatId: ACCOUNT } });

  // The choice can be taken back: what is read again is linked.
  await runMigration(key, org, { configuration: only(["Contact"]) });
  const account = (await recordsOf("accounts", key.organizationId))[ACCOUNT];
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]).toMatchObject({ account_id: account?.id });
});

test("with keep_id, records of the same object are linked within the run, and not later", async () => {
  const key = await createMigration(["Account"]);
  const Account = [
    sourceRecord("001", 1, { Name: "Child", ParentId: sourceId("001", 5) }),
    sourceRecord("001", 2, { Name: "Child", ParentId: sourceId("001", 6) }),
    sourceRecord("001", 5, { Name: "P" }),
  ];
  const configured = { configuration: only(["Account"], { Account: { ParentId: "keep_id" } }) };
  await runMigration(key, new ScriptedSource({ Account }), configured);
  Account.push(sourceRecord("001", 6, { Name: "Late" }));
  await runMigration(key, new ScriptedSource({ Account }), configured);
  const accounts = await recordsOf("accounts", key.organizationId);
  expect(accounts[sourceId("001", 1)]).toMatchObject({ parent_account_id: accounts[sourceId("001", 5)]?.id });
  expect(accounts[sourceId("001", 2)]).toMatchObject({
    parent_account_id: null,
    custom_fields: { ParentId: sourceId("001", 6) },
  });
});

const KEEP_PARENTS = only(["Account"], { Account: { ParentId: "keep_id" } });

async function isLinked({ organizationId }: MigrationKey, child: number, parent: number): Promise<boolean> {
  const accounts = await recordsOf("accounts", organizationId);
  return accounts[sourceId("001", child)]?.parent_account_id === accounts[sourceId("001", parent)]?.id;
}

test("with keep_id, a run that is paused after its last page links when it goes on", async () => {
  const key = await createMigration(["Account"]);
  const org = new ScriptedSource({ Account: chain(1, 2, 9) });
  const setStatus = (status: string) =>
    pool().query("UPDATE migrations SET status = $2::migration_status WHERE id = $1", [key.migrationId, status]);
  const { json } = org;
  let counts = 0;
  org.json = async (path, schema, options) => {
    // An object is counted before it is read, and again before its records are linked.
    if (path.includes("COUNT()") && (counts += 1) === 2) await setStatus("paused");
    return json.call(org, path, schema, options) as never;
  };
  const run = await transaction((tx) => startRun(tx, key, KEEP_PARENTS));
  await workToTheEnd(run, org);
  expect([await isLinked(key, 1, 2), await waitingOf(key)]).toEqual([false, 2]);
  await setStatus("running");
  await workToTheEnd(run, org);
  expect([await isLinked(key, 1, 2), await waitingOf(key)]).toEqual([true, 0]);
});

test("with keep_id, the end of a migration leaves alone what the records of another one wait for", async () => {
  const key = await createMigration(["Account"]);
  const org = new ScriptedSource({ Account: [...chain(1, 1, 290), ...chain(2, 290, 999)] });
  const run = await transaction((tx) => startRun(tx, key, KEEP_PARENTS));
  expect(await workSlice(run, async () => org, 0)).toBe("more");

  const address = { instanceUrl: "https://other.my.salesforce.com", accessToken: "token" };
  const other = await createMigration(["Account"], address, key.organizationId);
  const records = { Account: [sourceRecord("001", 1001, { Name: "Other", ParentId: sourceId("001", 1009) })] };
  await runMigration(other, new ScriptedSource(records), { configuration: KEEP_PARENTS });
  // Accounts 1 and 250 still wait: accounts 290 and 251 are not on the first page.
  expect(await waitingOf(key)).toBe(2);
  await workToTheEnd(run, org);
  expect([await isLinked(key, 1, 290), await waitingOf(key)]).toEqual([true, 0]);
});

const refuseLock = () => Promise.reject(new Error("A lock was taken."));

test("records that still wait are looked for without any lock", async () => {
  const key = await createMigration(["Contact"]);
  const waiting = sourceRecord("003", 1, { LastName: "C", AccountId: sourceId("001", 1) });
  await runMigration(key, new ScriptedSource({ Contact: [waiting] }));
  expect(await waitingOf(key)).toBe(1);
  const rest = { choiceOf: () => "heal" as const, emits: false, lock: refuseLock, deadline: Infinity };
  const linking = { ...key, target: "accounts" as const, ...rest };
  expect(await inOrganization(key.organizationId, () => linkWaiting(database(), linking))).toBe(true);
});
