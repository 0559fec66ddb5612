import { beforeEach, expect, test, vi } from "vitest";

import { pool as ownPool, transaction as ownTransaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { registerJobSender } from "@/lib/jobs";
import type { MigrationKey, RunKey } from "@/lib/migration/migration-schema";
import { finishRun } from "@/lib/migration/pipeline/finish-run";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { execute } from "@/lib/operation";
import { createOperation } from "@/lib/records/operations";
import { add, change, deletedOf, delta, imported, OBJECTS, source } from "@/tests/migration/support/delta";
import { setStatus } from "@/tests/migration/support/ready-migration";
import {
  createMigration,
  finishedOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { type ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { keptOf, undo, workOnUndo } from "@/tests/migration/support/undo";
import { startDelta, startRetry } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

const [CASE, FIRST, SECOND] = [sourceId("500", 1), sourceId("003", 1), sourceId("003", 2)];

test("a case that is deleted and undeleted in the source gets back its thread and its links", async () => {
  const org = source();
  Object.assign(org.records.Case?.[1] ?? {}, { ParentId: CASE });
  const key = await imported(org);
  const [cases, comments] = [
    await recordsOf("cases", key.organizationId),
    await recordsOf("case_comments", key.organizationId),
  ];
  // What somebody has attached here is in no source.
  const input = { type: "task", subject: "Call back", case_id: cases[CASE]?.id };
  await execute(createOperation("activities"), await createContext({ organizationId: key.organizationId }), input);
  change(org, "Case", 0, { IsDeleted: true });
  await delta(key, org);
  expect(await recordsOf("case_comments", key.organizationId)).toEqual({});
  change(org, "Case", 0, { IsDeleted: false });
  expect((await delta(key, org)).lines).toMatchObject({ Case: { source: 1, created: 1 } });
  const back = await recordsOf("case_comments", key.organizationId);
  expect(Object.keys(back).toSorted()).toEqual(Object.keys(comments).toSorted());
  const placed = (entries: typeof back) => Object.values(entries).map((one) => [one.id, one.case_id, one.position]);
  expect(placed(back).toSorted()).toEqual(placed(comments).toSorted());
  const after = await recordsOf("cases", key.organizationId);
  expect(after[sourceId("500", 2)]).toMatchObject({ parent_case_id: cases[CASE]?.id });
  const { rows } = await pool().query("SELECT case_id FROM activities WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(rows).toEqual([{ case_id: cases[CASE]?.id }]);
});

test("entries that are here again before their case is restored are not doubled", async () => {
  const org = source();
  const key = await imported(org);
  change(org, "Case", 0, { IsDeleted: true });
  await delta(key, org);
  // The case comes back with one entry that was moved to another case, and one that is new.
  change(org, "Case", 0, { IsDeleted: false });
  change(org, "CaseComment", 0, { ParentId: sourceId("500", 2) });
  add(org, "CaseComment", sourceRecord("00a", 4, { ParentId: CASE, CommentBody: "New" }));
  await delta(key, org);
  const cases = await recordsOf("cases", key.organizationId);
  const comments = await recordsOf("case_comments", key.organizationId);
  expect(Object.keys(comments)).toHaveLength(4);
  expect(comments[sourceId("00a", 1)]).toMatchObject({ case_id: cases[sourceId("500", 2)]?.id });
});

test("an account that is undeleted in the source gets back its contacts, and a contact its account", async () => {
  const org = source();
  const key = await imported(org);
  const contacts = await recordsOf("contacts", key.organizationId);
  change(org, "Account", 0, { IsDeleted: true });
  change(org, "Contact", 0, { IsDeleted: true });
  await delta(key, org);
  change(org, "Account", 0, { IsDeleted: false });
  await delta(key, org);
  change(org, "Contact", 0, { IsDeleted: false });
  await delta(key, org);
  const back = await recordsOf("contacts", key.organizationId);
  expect(back[FIRST]).toMatchObject({ id: contacts[FIRST]?.id, account_id: contacts[FIRST]?.account_id });
});

/** Two contacts with one e-mail address become one record, to which a case belongs. */
async function merged() {
  const org = source();
  for (const contact of org.records.Contact ?? []) Object.assign(contact, { Email: "ada@example.com" });
  Object.assign(org.records.Case?.[0] ?? {}, { ContactId: FIRST });
  const key = await createMigration(OBJECTS);
  const rules = { objects: { Contact: { duplicates: { rules: [{ match: [{ fields: ["email"] }] }] } } } };
  await runMigration(key, org, { configuration: configurationSchema.parse(rules) });
  org.now = new Date(org.now.getTime() + 60_000);
  const [contact] = Object.values(await recordsOf("contacts", key.organizationId));
  return { org, key, contact };
}

test("a merged record stays while one of its source records is left", async () => {
  const { org, key, contact } = await merged();
  expect(contact).toMatchObject({ ext_id: FIRST });
  change(org, "Contact", 0, { IsDeleted: true });
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({});
  const here = await recordsOf("contacts", key.organizationId);
  expect(here).toMatchObject({ [SECOND]: { id: contact?.id, email: "ada@example.com" } });
  expect(Object.keys(here)).toHaveLength(1);
  const cases = await recordsOf("cases", key.organizationId);
  expect(cases[CASE]).toMatchObject({ contact_id: contact?.id });
  const again = await runMigration(key, org);
  expect(again).toMatchObject({ status: "completed", lines: { Contact: { created: 0 } } });
  change(org, "Contact", 1, { IsDeleted: true });
  await delta(key, org);
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  expect(await recordsOf("contacts", key.organizationId)).toEqual({});
});

/** A merged contact of which another migration has deleted one of the source records in a delta. */
async function deletedBySecond() {
  const { org, key, contact } = await merged();
  const second = await createMigration(OBJECTS, undefined, key.organizationId);
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  change(org, "Contact", 0, { IsDeleted: true });
  await delta(second, org);
  return { key, contact, second };
}

test("an undo by another migration gives a record back both its source ids", async () => {
  const { key, contact, second } = await deletedBySecond();
  expect(Object.keys(await recordsOf("contacts", key.organizationId))).toEqual([SECOND]);
  await undo(await createContext({ organizationId: key.organizationId }), second);
  expect(await recordsOf("contacts", key.organizationId)).toEqual({
    [FIRST]: expect.objectContaining({ id: contact?.id }),
  });
  const { rows } = await pool().query("SELECT ext_id, record_id FROM ext_aliases WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(rows).toEqual([{ ext_id: SECOND, record_id: contact?.id }]);
});

/** Somebody creates a contact with this external id while `work`, which must wait for that, goes on. */
async function whileTaking<Result>(
  { organizationId }: MigrationKey,
  extId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { done } = await transaction(async (client) => {
    await client.query(
      `INSERT INTO contacts (organization_id, id, created_at, updated_at, last_name, ext_id)
       VALUES ($1, gen_random_uuid(), now(), now(), 'Ours', $2)`,
      [organizationId, extId],
    );
    const working = work();
    await untilLockWaits(1);
    return { done: working };
  });
  return done;
}

test("a record is deleted whose successor somebody creates at that moment", async () => {
  const { org, key } = await merged();
  change(org, "Contact", 0, { IsDeleted: true });
  expect(await whileTaking(key, SECOND, () => delta(key, org))).toMatchObject({ status: "completed", failure: null });
  expect(await deletedOf(key)).toEqual({ Contact: 1 });
  expect(await recordsOf("contacts", key.organizationId)).toMatchObject({ [SECOND]: { last_name: "Ours" } });
});

test("an undo keeps a record whose former source id somebody takes at that moment", async () => {
  const { key, contact, second } = await deletedBySecond();
  const context = await createContext({ organizationId: key.organizationId });
  await execute(undoMigration, context, { migration_id: second.migrationId });
  await whileTaking(key, FIRST, () => workOnUndo(context, second.migrationId));
  expect(await keptOf(context, second)).toEqual({ [String(contact?.id)]: ["value_taken", null] });
});

test("an undo takes away a record that a successor has taken over", async () => {
  const { org, key } = await merged();
  change(org, "Contact", 0, { IsDeleted: true });
  await delta(key, org);
  await undo(await createContext({ organizationId: key.organizationId }), key);
  expect(await recordsOf("contacts", key.organizationId)).toEqual({});
  const { rows } = await pool().query("SELECT FROM ext_aliases WHERE organization_id = $1", [key.organizationId]);
  expect(rows).toEqual([]);
});

test("a record that comes back goes on from its version, so that its deletion is not the later news", async () => {
  const org = source();
  const key = await createMigration(OBJECTS);
  const sending = configurationSchema.parse({ send_events: true });
  await runMigration(key, org, { configuration: sending });
  org.now = new Date(org.now.getTime() + 60_000);
  change(org, "Account", 0, { Name: "Renamed" });
  await delta(key, org);
  for (const IsDeleted of [true, false]) {
    change(org, "Account", 0, { IsDeleted });
    await delta(key, org);
  }
  const { rows } = await pool().query<{ type: string; version: number }>(
    `SELECT type, (object ->> 'version')::int AS version FROM events
     WHERE organization_id = $1 AND object ->> 'ext_id' = $2 ORDER BY id`,
    [key.organizationId, sourceId("001", 1)],
  );
  expect(rows.map(({ type, version }) => `${type} ${version}`)).toEqual([
    "account.created 1",
    "account.updated 2",
    "account.deleted 2",
    "account.created 3",
  ]);
  const { [sourceId("001", 1)]: account } = await recordsOf("accounts", key.organizationId);
  expect(account).toMatchObject({ version: 3, imported_version: 3, name: "Renamed" });
});

test("a delta takes an invitee who was removed from the event, since the recycle bin has the relation", async () => {
  const org = source();
  Object.assign(org.records, {
    Event: [sourceRecord("00U", 1, { Subject: "Meeting", IsGroupEvent: true })],
    EventRelation: [1, 2].map((number) =>
      sourceRecord("0RE", number, { EventId: sourceId("00U", 1), RelationId: sourceId("005", number) }),
    ),
  });
  const key = await imported(org, ["Event"]);
  change(org, "EventRelation", 0, { IsDeleted: true });
  expect(await delta(key, org)).toMatchObject({ status: "completed", lines: { Event: { source: 1, updated: 1 } } });
  const [event] = Object.values(await recordsOf("activities", key.organizationId));
  expect(event?.custom_fields).toMatchObject({ EventRelations: [{ RelationId: sourceId("005", 2) }] });
});

/** A delta that is paused just before it asks for the deletions of contacts: those of accounts come after them. */
async function pausedAmongDeletions(): Promise<{ org: ScriptedSource; key: MigrationKey; run: RunKey }> {
  const org = source();
  const key = await imported(org);
  change(org, "Account", 2, { IsDeleted: true });
  org.now = new Date(org.now.getTime() + 60_000);
  const run = await ownTransaction((tx) => startDelta(tx, key));
  org.beforeQuery = async (soql) => {
    if (/FROM Contact .*IsDeleted = true/.test(soql)) await setStatus(key.migrationId, "paused");
  };
  await workToTheEnd(run, org);
  org.beforeQuery = () => undefined;
  return { org, key, run };
}

test("a delta that is paused among its deletions has not failed, and makes the others when it goes on", async () => {
  const error = vi.spyOn(log, "error");
  const { org, key, run } = await pausedAmongDeletions();
  expect(error).not.toHaveBeenCalled();
  expect(await finishedOf(key)).toMatchObject({ status: "paused", failure: null });
  expect(await deletedOf(key)).toEqual({});
  await setStatus(key.migrationId, "running");
  await workToTheEnd(run, org);
  expect(await finishedOf(key)).toMatchObject({ status: "completed" });
  expect(await deletedOf(key)).toEqual({ Account: 1 });
});

test("neither a retry nor the end of a run passes over deletions that a delta has left", async () => {
  const { org, key, run } = await pausedAmongDeletions();
  await setStatus(key.migrationId, "running");
  await inOrganization(key.organizationId, () => finishRun(ownPool(), run));
  expect(await finishedOf(key)).toMatchObject({
    status: "failed",
    failure: { code: "not_reconciled", detail: expect.stringContaining("not all that was deleted") },
  });
  await expect(ownTransaction((tx) => startRetry(tx, key))).rejects.toThrow(/looked for all deletions/);
  expect(await delta(key, org)).toMatchObject({ status: "completed" });
  expect(await deletedOf(key)).toEqual({ Account: 1 });
});
