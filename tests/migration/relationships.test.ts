import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import {
  type Configuration,
  configuration,
  type RelationshipChoice,
} from "@/lib/migration/configuration/configuration-schema";
import { MIGRATED_OBJECTS, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { MigrationKey } from "@/lib/migration/status";
import {
  createMigration,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

type Choices = Partial<Record<MigratedObjectName, Record<string, RelationshipChoice>>>;

/** Only these objects, with these choices. */
function only(objects: readonly MigratedObjectName[], choices: Choices = {}): Configuration {
  return configuration.parse({
    objects: Object.fromEntries(
      MIGRATED_OBJECTS.map((name) => [
        name,
        { selected: objects.includes(name), ...(choices[name] && { relationships: choices[name] }) },
      ]),
    ),
  });
}

const ACCOUNT = sourceId("001", 1);
const CONTACT = sourceId("003", 1);
const CASE = sourceId("500", 1);

/** One account, a contact and a case of it, and activities about all of them. */
function source(): ScriptedSource {
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [sourceRecord("003", 1, { LastName: "C", AccountId: ACCOUNT })],
    Case: [sourceRecord("500", 1, { Subject: "S", AccountId: ACCOUNT, ContactId: CONTACT })],
    CaseComment: [],
    EmailMessage: [],
    Task: [
      sourceRecord("00T", 1, { Subject: "T", WhoId: CONTACT, WhatId: CASE, AccountId: ACCOUNT }),
      sourceRecord("00T", 2, { Subject: "U", WhatId: ACCOUNT }),
      sourceRecord("00T", 3, { Subject: "V", WhoId: sourceId("00Q", 1), WhatId: sourceId("a00", 1) }),
    ],
    Event: [],
  });
}

function lacking(field: string, value: string) {
  return { outcome: "skipped", code: "parent_not_here", field, value };
}

/** Accounts whose parent is the next one each; that of the last one is `last`. */
function chain(from: number, to: number, last: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return sourceRecord("001", number, { Name: "A", ParentId: sourceId("001", number < to ? number + 1 : last) });
  });
}

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

  const again = await runMigration(key, org, { configuration: only(MIGRATED_OBJECTS) });
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

test("with leave_out, what lacks a record is skipped with its reason, and so is what lacks that in turn", async () => {
  const key = await createMigration();
  const org = source();
  org.records.Contact?.push(sourceRecord("003", 2, { LastName: "Gone", AccountId: sourceId("001", 9) }));
  org.records.Case?.push(sourceRecord("500", 2, { Subject: "X", ContactId: sourceId("003", 2) }));
  org.records.CaseComment?.push(
    sourceRecord("00a", 1, { ParentId: CASE, CommentBody: "One" }),
    sourceRecord("00a", 2, { ParentId: sourceId("500", 2), CommentBody: "Two" }),
  );
  const finished = await runMigration(key, org, {
    configuration: only(MIGRATED_OBJECTS, {
      Contact: { AccountId: "leave_out" },
      Case: { ContactId: "leave_out" },
      CaseComment: { ParentId: "leave_out" },
      Task: { WhoId: "leave_out" },
    }),
  });
  expect(finished).toMatchObject({
    status: "completed",
    lines: {
      Contact: { created: 1, skipped: 1 },
      Case: { created: 1, skipped: 1 },
      CaseComment: { created: 1, skipped: 1, failed: 0 },
      Task: { created: 2, skipped: 1 },
    },
  });
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("003", 2)]: lacking("AccountId", sourceId("001", 9)),
    [sourceId("500", 2)]: lacking("ContactId", sourceId("003", 2)),
    [sourceId("00a", 2)]: lacking("ParentId", sourceId("500", 2)),
    [sourceId("00T", 3)]: lacking("WhoId", sourceId("00Q", 1)),
  });
});

test("with leave_out, records are imported whose parents come later in the order of ids", async () => {
  const key = await createMigration(["Account"]);
  const parents: Record<number, number> = { 1: 2, 2: 5, 3: 9, 4: 3, 6: 5, 7: 4 };
  const Account = [1, 2, 3, 4, 5, 6, 7].map((number) =>
    sourceRecord("001", number, {
      Name: `A${number}`,
      ParentId: parents[number] ? sourceId("001", parents[number]) : null,
    }),
  );
  const org = new ScriptedSource({ Account });
  const pages = { configuration: only(["Account"], { Account: { ParentId: "leave_out" } }) };
  const finished = await runMigration(key, org, pages);
  expect(finished).toMatchObject({ status: "completed", lines: { Account: { created: 4, skipped: 3 } } });
  const accounts = await recordsOf("accounts", key.organizationId);
  expect(Object.keys(accounts).toSorted()).toEqual([1, 2, 5, 6].map((number) => sourceId("001", number)));
  expect(accounts[sourceId("001", 1)]).toMatchObject({ parent_account_id: accounts[sourceId("001", 2)]?.id });
  expect(accounts[sourceId("001", 2)]).toMatchObject({ parent_account_id: accounts[sourceId("001", 5)]?.id });
});

test("with leave_out, parents may come on later pages", async () => {
  const key = await createMigration(["Account"]);
  const Account = [...chain(1, 300, 600), ...chain(301, 500, 999), sourceRecord("001", 600, { Name: "Top" })];
  const finished = await runMigration(key, new ScriptedSource({ Account }), {
    configuration: only(["Account"], { Account: { ParentId: "leave_out" } }),
  });
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 501, created: 301, skipped: 200, failed: 0 } },
  });
  const again = await runMigration(key, new ScriptedSource({ Account }), {
    configuration: only(["Account"], { Account: { ParentId: "leave_out" } }),
  });
  expect(again.lines).toMatchObject({ Account: { unchanged: 301, skipped: 200 } });
});

test("with leave_out, a record that is here follows the source when its link is lost, and finds it again", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const org = new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [1, 2].map((number) =>
      sourceRecord("003", number, {
        LastName: "C",
        AccountId: ACCOUNT,
        ReportsToId: number === 1 ? sourceId("003", 2) : null,
      }),
    ),
  });
  const choices = only(["Account", "Contact"], { Contact: { AccountId: "leave_out", ReportsToId: "leave_out" } });
  await runMigration(key, org, { configuration: choices });
  const [first] = org.records.Contact ?? [];
  Object.assign(first ?? {}, { LastName: "D", AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) });
  const again = await runMigration(key, org, { configuration: choices });
  expect(again).toMatchObject({ status: "completed", lines: { Contact: { updated: 1, unchanged: 1, skipped: 0 } } });
  expect((await recordsOf("contacts", key.organizationId))[CONTACT]).toMatchObject({
    last_name: "D",
    account_id: null,
    reports_to_id: null,
    custom_fields: { AccountId: sourceId("001", 9), ReportsToId: sourceId("003", 9) },
  });
  expect(await issuesOf(key)).toEqual({});

  org.records.Account?.push(sourceRecord("001", 9, { Name: "Late" }));
  org.records.Contact?.push(sourceRecord("003", 9, { LastName: "Boss", AccountId: ACCOUNT }));
  await runMigration(key, org, { configuration: choices });
  const contacts = await recordsOf("contacts", key.organizationId);
  expect(contacts[CONTACT]).toMatchObject({
    account_id: (await recordsOf("accounts", key.organizationId))[sourceId("001", 9)]?.id,
    reports_to_id: contacts[sourceId("003", 9)]?.id,
    custom_fields: {},
  });
});
