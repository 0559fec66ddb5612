import { afterAll, beforeAll, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { listDeletedRecords } from "@/lib/records/delete/list-deleted";
import { deleteOperation, restoreOperation, updateOperation } from "@/lib/records/operations";
import { change, delta, imported } from "@/tests/migration/support/delta";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1200, seed: 23 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
});
afterAll(() => org.stop());

/** The source ids of all records that e-mails and tasks became. */
async function extIds(organizationId: string) {
  const [comments, activities] = [
    await recordsOf("case_comments", organizationId),
    await recordsOf("activities", organizationId),
  ];
  return { comments: Object.keys(comments).toSorted(), activities: Object.keys(activities).toSorted() };
}

async function emailOfACase(): Promise<{ Id: string; ParentId: string; ActivityId: string }> {
  const soql =
    "SELECT Id, ParentId, ActivityId FROM EmailMessage WHERE ParentId != null AND ActivityId != null " +
    "AND Status != '0' ORDER BY Id LIMIT 1";
  const { records } = await query(client, soql);
  return records[0] as { Id: string; ParentId: string; ActivityId: string };
}

test("an e-mail that moves out of or into a case between two runs is stored once", async () => {
  const key = await createMigration();
  await runMigration(key, client);
  const before = await extIds(key.organizationId);
  const { Id, ParentId, ActivityId } = await emailOfACase();
  expect(before.comments).toContain(Id);

  await org.mutate({ op: "update", object: "EmailMessage", id: Id, fields: { ParentId: null, RelatedToId: null } });
  const outside = await runMigration(key, client);
  const moved = await extIds(key.organizationId);
  expect(outside.lines.EmailMessage).toMatchObject({ created: 1, status: "done" });
  expect(moved.comments).toEqual(before.comments.filter((id) => id !== Id));
  expect(moved.activities).toEqual([...before.activities, Id].toSorted());
  const activity = (await recordsOf("activities", key.organizationId))[Id];
  expect((await issuesOf(key))[ActivityId]).toMatchObject({ code: "mirrored_by_email", value: activity?.id });

  await org.mutate({ op: "update", object: "EmailMessage", id: Id, fields: { ParentId } });
  await runMigration(key, client);
  expect(await extIds(key.organizationId)).toEqual(before);
});

test("an e-mail that failed in one run and is imported by the next replaces its task", async () => {
  const undisturbed = await createMigration();
  await runMigration(undisturbed, client);
  const wanted = await extIds(undisturbed.organizationId);
  const { Id, ActivityId } = await emailOfACase();

  const key = await createMigration();
  const withoutCases = { objects: { Case: { selected: false, fields: {}, values: {} } } };
  const first = await runMigration(key, client, { configuration: withoutCases });
  expect(first.lines.EmailMessage?.failed).toBeGreaterThan(0);
  const standIns = await extIds(key.organizationId);
  expect(standIns.activities).toContain(ActivityId);
  expect(standIns.comments).not.toContain(Id);

  const second = await runMigration(key, client, { configuration: { objects: {} } });
  expect(second).toMatchObject({ failure: null });
  expect(await extIds(key.organizationId)).toEqual(wanted);
});

test("an edited record that its e-mail replaces can be restored, and no run takes it for a deletion here", async () => {
  const key = await createMigration(["Case", "EmailMessage"]);
  const { organizationId, migrationId } = key;
  const context = await createContext({ organizationId });
  const email = sourceRecord("02s", 1, { Subject: "Mail", TextBody: "Theirs", ParentId: null, RelatedToId: null });
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "Case", CaseNumber: "00001001" })],
    EmailMessage: [email],
  });
  const again = () => runMigration(key, source, { configuration: { repeat: "ours_wins" } });
  await again();
  const activityOf = async () => (await recordsOf("activities", organizationId))[String(email.Id)];
  const id = (await activityOf())?.id;
  await run(updateOperation("activities"), context, { id, description: "Ours" });
  email.ParentId = sourceId("500", 1);
  expect((await again()).lines.EmailMessage).toMatchObject({ created: 1 });
  expect(await activityOf()).toBeUndefined();
  expect(await run(listDeletedRecords, context, {})).toMatchObject({
    data: [{ object: "activities", id, migration_id: migrationId }],
  });
  expect((await again()).lines.EmailMessage).toMatchObject({ unchanged: 1, skipped: 0 });
  await run(restoreOperation("activities"), context, { id });
  expect(await activityOf()).toMatchObject({ id, description: "Ours" });
  email.Subject = "Renamed";
  source.records.EmailMessage?.push(sourceRecord("02s", 2, { TextBody: "Another", ParentId: email.ParentId }));
  expect((await again()).lines.EmailMessage).toMatchObject({ created: 1, updated: 1 });
  expect(await activityOf()).toMatchObject({ id, description: "Ours" });
});

test("the link of an activity that waits for its record waits no more once the e-mail is in a thread", async () => {
  const key = await createMigration(["Case", "EmailMessage"]);
  const account = sourceId("001", 1);
  const email = sourceRecord("02s", 1, { Subject: "Mail", TextBody: "Theirs", ParentId: null, RelatedToId: account });
  const source = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "Case", CaseNumber: "00001001" })],
    EmailMessage: [email],
  });
  const waiting = async () => {
    const text = "SELECT resource, target_ext_id FROM waiting_links WHERE organization_id = $1";
    return (await pool().query(text, [key.organizationId])).rows;
  };
  await runMigration(key, source);
  expect(await waiting()).toEqual([{ resource: "activities", target_ext_id: account }]);
  email.ParentId = sourceId("500", 1);
  await runMigration(key, source);
  expect(await waiting()).toEqual([]);
});

const TASK = sourceId("00T", 1);
const NEW = { Status: "0" };
const OPEN = { Status: "Not Started", IsClosed: false };
const ANSWERED = { Status: "2" };
const CLOSED = { Status: "Completed", IsClosed: true };

/** An unread e-mail to a case, with the task to answer it that Email-to-Case made for the owner of the case. */
async function importedToDo(options: Parameters<typeof imported>[2] = {}) {
  const org = new ScriptedSource({
    Case: [sourceRecord("500", 1, { Subject: "Case", CaseNumber: "00001001" })],
    EmailMessage: [
      sourceRecord("02s", 1, { ParentId: sourceId("500", 1), ActivityId: TASK, TextBody: "Help", ...NEW }),
    ],
    Task: [sourceRecord("00T", 1, { Subject: "Email: Help", Priority: "High", ActivityDate: "2026-07-01", ...OPEN })],
  });
  org.now = new Date();
  org.now.setUTCMilliseconds(0);
  const key = await imported(org, ["Case", "EmailMessage", "Task"], options);
  return { org, key };
}

async function emailOf({ organizationId }: { organizationId: string }) {
  return (await recordsOf("case_comments", organizationId))[sourceId("02s", 1)];
}

test("an open task of an e-mail is a record of its own, and its copy while it is closed", async () => {
  const { org, key } = await importedToDo();
  const toDo = { [TASK]: { status: "not_started", due_date: "2026-07-01", priority: "high" } };
  expect(await recordsOf("activities", key.organizationId)).toMatchObject(toDo);
  expect(await issuesOf(key)).toEqual({});
  expect((await emailOf(key))?.custom_fields).not.toHaveProperty(["Task.Priority"]);

  change(org, "EmailMessage", 0, ANSWERED);
  change(org, "Task", 0, CLOSED);
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Task: { source: 1, skipped: 1 } } });
  expect(await recordsOf("activities", key.organizationId)).toEqual({});
  expect(await issuesOf(key)).toMatchObject({ [TASK]: { code: "mirrored_by_email", value: (await emailOf(key))?.id } });
  expect((await emailOf(key))?.custom_fields).toMatchObject({ "Task.Priority": "High" });

  change(org, "Task", 0, OPEN);
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Task: { source: 1, created: 1 } } });
  expect(await recordsOf("activities", key.organizationId)).toMatchObject(toDo);
  expect(await issuesOf(key)).toEqual({});
  expect((await emailOf(key))?.custom_fields).not.toHaveProperty(["Task.Priority"]);
});

test("a task that gives way to its e-mail is emitted as deleted, with what it last was", async () => {
  registerJobSender(async () => undefined);
  const { org, key } = await importedToDo({ configuration: { send_events: true } });
  const { [TASK]: toDo } = await recordsOf("activities", key.organizationId);
  change(org, "EmailMessage", 0, ANSWERED);
  change(org, "Task", 0, CLOSED);
  await delta(key, org);
  const { rows } = await pool().query(
    `SELECT record_id, object ->> 'subject' AS subject FROM events
     WHERE organization_id = $1 AND type LIKE '%.deleted'`,
    [key.organizationId],
  );
  expect(rows).toEqual([{ record_id: toDo?.id, subject: "Email: Help" }]);
});

test("an e-mail stays when the task to answer it was deleted here and is closed in Salesforce", async () => {
  const { org, key } = await importedToDo();
  const { [TASK]: toDo } = await recordsOf("activities", key.organizationId);
  await run(deleteOperation("activities"), await createContext(key), { id: toDo?.id });
  change(org, "EmailMessage", 0, ANSWERED);
  change(org, "Task", 0, CLOSED);
  expect((await delta(key, org)).lines).toMatchObject({
    EmailMessage: { updated: 1, skipped: 0 },
    Task: { skipped: 1 },
  });
  expect(await emailOf(key)).toMatchObject({ custom_fields: { Status: "2" } });
  expect(await issuesOf(key)).toMatchObject({ [TASK]: { code: "deleted_here" } });
});

test.each(["delta", "full"] as const)("an open task that is deleted in Salesforce is no copy (%s)", async (kind) => {
  const { org, key } = await importedToDo();
  const context = await createContext(key);
  const { [TASK]: toDo } = await recordsOf("activities", key.organizationId);
  change(org, "EmailMessage", 0, ANSWERED);
  change(org, "Task", 0, { IsDeleted: true });
  expect((await (kind === "delta" ? delta(key, org) : runMigration(key, org))).status).toBe("completed");
  // Only a delta takes over what was deleted in Salesforce, so that it can be restored here.
  const deleted = (await run(listDeletedRecords, context, {})) as unknown as { data: { id: string }[] };
  const here = Object.values(await recordsOf("activities", key.organizationId)).map(({ id }) => id);
  expect({ here, deleted: deleted.data.map(({ id }) => id) }).toEqual(
    kind === "delta" ? { here: [], deleted: [toDo?.id] } : { here: [toDo?.id], deleted: [] },
  );
});
