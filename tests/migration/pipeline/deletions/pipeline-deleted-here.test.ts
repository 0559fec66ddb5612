import { afterAll, beforeAll, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { createOperation, deleteOperation, restoreOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { run } from "@/tests/records/support/write-operations";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 700, seed: 23 });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
});
afterAll(() => org.stop());

async function contextOf({ organizationId }: MigrationKey): Promise<Context> {
  const { rows } = await pool().query<{ user_id: string }>(
    "SELECT user_id FROM memberships WHERE organization_id = $1",
    [organizationId],
  );
  const userId = rows[0]?.user_id ?? newId();
  return {
    requestId: newId(),
    organizationId,
    userId,
    role: "admin",
    clientId: null,
    scopes: new Set(["crm:write"]),
    address: null,
  };
}

async function ids(resource: ResourceName, { organizationId }: MigrationKey): Promise<Map<string, string>> {
  return new Map(
    Object.entries(await recordsOf(resource, organizationId)).map(([extId, record]) => [extId, String(record.id)]),
  );
}

/** Source ids that the statement finds. */
async function find(soql: string): Promise<Record<string, string>> {
  const { records } = await query(client, soql);
  return records[0] as Record<string, string>;
}

/** Deletes the record with a source id here. */
async function deleteHere(resource: ResourceName, key: MigrationKey, extId: string): Promise<string> {
  const id = (await ids(resource, key)).get(extId);
  await run(deleteOperation(resource), await contextOf(key), { id });
  return String(id);
}

async function expectReconciled(key: MigrationKey) {
  const finished = await runMigration(key, client);
  expect(finished).toMatchObject({ failure: null, status: expect.stringMatching(/^completed/) });
  for (const line of Object.values(finished.lines)) {
    expect(line.created + line.updated + line.unchanged + line.skipped + line.failed).toBe(line.source);
    expect(line.created).toBe(0);
  }
  return finished;
}

const DAY = new Date().toISOString().slice(0, 7);

test("a record deleted here is skipped by name and counted, and imported again once it is restored", async () => {
  const key = await createMigration();
  const first = await runMigration(key, client);
  const { Id: account } = await find("SELECT Id FROM Account ORDER BY Id LIMIT 1");
  const { Id: contact } = await find("SELECT Id FROM Contact ORDER BY Id LIMIT 1");
  const restorable = await deleteHere("accounts", key, String(account));
  await deleteHere("contacts", key, String(contact));
  const second = await expectReconciled(key);
  for (const object of ["Account", "Contact"])
    expect(second.lines[object]?.skipped).toBe((first.lines[object]?.skipped ?? 0) + 1);
  const issues = await issuesOf(key);
  for (const [extId, label] of [
    [account, "account"],
    [contact, "contact"],
  ] as const) {
    expect(issues[String(extId)]).toMatchObject({
      outcome: "skipped",
      code: "deleted_here",
      reason: expect.stringContaining(`This ${label} was deleted here on ${DAY}`),
    });
  }
  expect((await ids("accounts", key)).has(String(account))).toBe(false);

  await run(restoreOperation("accounts"), await contextOf(key), { id: restorable });
  await org.mutate({ op: "update", object: "Account", id: String(account), fields: { Phone: "+41 99" } });
  const third = await expectReconciled(key);
  expect(third.lines.Account?.skipped).toBe(first.lines.Account?.skipped);
  expect((await recordsOf("accounts", key.organizationId))[String(account)]).toMatchObject({
    id: restorable,
    phone: "+41 99",
  });
});

test("the whole thread of a deleted case is skipped, including new entries", async () => {
  const key = await createMigration();
  const first = await runMigration(key, client);
  const { ParentId } = await find("SELECT ParentId FROM CaseComment ORDER BY Id LIMIT 1");
  await deleteHere("cases", key, String(ParentId));
  // As if it were new in the source: it is not here and was never deleted itself.
  await pool().query("DELETE FROM deleted_records WHERE organization_id = $1 AND resource = 'case_comments'", [
    key.organizationId,
  ]);
  const second = await expectReconciled(key);
  expect(second.lines.CaseComment).toMatchObject({ failed: first.lines.CaseComment?.failed });
  const { Id } = await find(`SELECT Id FROM CaseComment WHERE ParentId = '${ParentId}' ORDER BY Id LIMIT 1`);
  expect((await issuesOf(key))[String(Id)]).toMatchObject({
    outcome: "skipped",
    code: "deleted_here",
    value: ParentId,
  });
});

test("the task of a deleted e-mail is not imported in its place", async () => {
  const key = await createMigration();
  await runMigration(key, client);
  const email = await find(
    "SELECT Id, ActivityId FROM EmailMessage WHERE ParentId != null AND ActivityId != null AND Status != '0' " +
      "ORDER BY Id LIMIT 1",
  );
  await deleteHere("case_comments", key, String(email.Id));
  await expectReconciled(key);
  const issues = await issuesOf(key);
  expect(issues[String(email.Id)]).toMatchObject({ code: "deleted_here" });
  expect(issues[String(email.ActivityId)]).toMatchObject({
    outcome: "skipped",
    code: "deleted_here",
    reason: expect.stringContaining("The e-mail that"),
  });
  expect((await ids("activities", key)).has(String(email.ActivityId))).toBe(false);
});

test("an e-mail is not imported if its imported task was deleted here", async () => {
  const key = await createMigration();
  await runMigration(key, client, {
    configuration: { objects: { Case: { selected: false, fields: {}, values: {} } } },
  });
  const email = await find(
    "SELECT Id, ActivityId FROM EmailMessage WHERE ParentId != null AND ActivityId != null AND Status != '0' " +
      "ORDER BY Id LIMIT 1",
  );
  await deleteHere("activities", key, String(email.ActivityId));
  await runMigration(key, client, { configuration: { objects: {} } });
  expect((await ids("case_comments", key)).has(String(email.Id))).toBe(false);
  const issues = await issuesOf(key);
  for (const extId of [email.Id, email.ActivityId])
    expect(issues[String(extId)]).toMatchObject({ code: "deleted_here" });
});

test("a deletion that can no longer be undone, or whose source id a record has, skips nothing", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, client);
  // Accounts without children: those would lose and get back their parent, which counts as updated.
  const { rows: childless } = await pool().query<{ ext_id: string }>(
    `SELECT ext_id FROM accounts AS a WHERE organization_id = $1 AND NOT EXISTS (
       SELECT FROM accounts AS c WHERE c.organization_id = $1 AND c.parent_account_id = a.id) ORDER BY ext_id LIMIT 2`,
    [key.organizationId],
  );
  const [old, replaced] = childless.map(({ ext_id }) => ext_id);
  await deleteHere("accounts", key, String(old));
  await pool().query(
    "UPDATE deleted_records SET deleted_at = deleted_at - interval '30 days' WHERE organization_id = $1",
    [key.organizationId],
  );
  await deleteHere("accounts", key, String(replaced));
  const successor = await run(createOperation("accounts"), await contextOf(key), {
    name: "Successor",
    ext_id: replaced,
  });
  const finished = await runMigration(key, client);
  expect(finished.lines.Account).toMatchObject({ created: 1, updated: 1, status: "done" });
  expect((await ids("accounts", key)).get(String(replaced))).toBe(successor.id);
});
