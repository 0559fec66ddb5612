import { beforeEach, expect, onTestFinished, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { registerJobSender } from "@/lib/jobs";
import { describeFailure } from "@/lib/migration/failure";
import { failRun } from "@/lib/migration/pipeline/finish-run";
import { startRun } from "@/lib/migration/runs/start-migration";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { nextStep } from "@/lib/migration/undo/undo-steps";
import { failUndo, workUndo } from "@/lib/migration/undo/work-undo";
import { createOperation, deleteOperation, restoreOperation, updateOperation } from "@/lib/records/operations";
import { listStageChanges } from "@/lib/records/stage-history";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { findMigration } from "@/tests/migration/support/within";
import {
  ACME,
  BETA,
  CHILD,
  dump,
  keptOf,
  OBJECTS,
  org,
  ownRecords,
  statusOf,
  undo,
} from "@/tests/migration/support/undo";
import { undoAsForetold } from "@/tests/migration/support/undo-as-foretold";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

const idOf = (records: Record<string, Record<string, unknown>>, extId = "") => String(records[extId]?.id);

const circling = (number: number, ReportsToId?: string) =>
  sourceRecord("003", number, { LastName: "Circle", ReportsToId });

test("after the undo of a first import every table is as it was, and the migration says so", async () => {
  const key = await createMigration(OBJECTS);
  const context = await createContext({ organizationId: key.organizationId });
  await ownRecords(context);
  const before = await dump(key.organizationId, []);
  await runMigration(key, org());
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toHaveLength(4);
  const foretold = await undoAsForetold(context, key);
  expect(foretold).toContainEqual({ resource: "accounts", deleted: 3, restored: 0, kept: {} });
  expect(await dump(key.organizationId, [])).toEqual(before);
  const { status, progress } = await statusOf(key);
  expect(status).toBe("undone");
  expect(progress?.finished_at).not.toBeNull();
  const deleted = Object.fromEntries(progress?.resources.map((line) => [line.resource, line.deleted]) ?? []);
  expect(deleted).toMatchObject({ accounts: 3, contacts: 2, cases: 2, case_comments: 3, activities: 2 });
  expect(progress?.resources.every(({ done, kept }) => done && kept === 0)).toBe(true);
});

test("a second migration's changes are taken back, and the first one's records stay as they were", async () => {
  const first = await createMigration(OBJECTS);
  const { organizationId } = first;
  const context = await createContext({ organizationId });
  await runMigration(first, org());
  const before = await dump(organizationId);
  const second = await createMigration(OBJECTS, undefined, organizationId);
  const source = org("Acme renamed");
  source.records.Account?.push(sourceRecord("001", 4, { Name: "New" }));
  Object.assign(source.records.Contact?.[1] ?? {}, { AccountId: sourceId("001", 4) });
  // The e-mail has moved out of its case, and an own shape of it takes its place.
  Object.assign(source.records.EmailMessage?.[0] ?? {}, { ParentId: null });
  await runMigration(second, source);
  expect(await dump(organizationId)).not.toEqual(before);
  await undo(context, second);
  expect(await dump(organizationId)).toEqual(before);
  expect(await keptOf(context, second)).toEqual({});
  // What the client knew in between must not look like the restored row.
  const { [ACME ?? ""]: acme } = await recordsOf("accounts", organizationId);
  expect(acme).toMatchObject({ name: "Acme", version: 3, imported_version: 3, migration_id: first.migrationId });
  await undo(context, first);
  expect(Object.values(await dump(organizationId)).flat()).toEqual([]);
});

test("what people edited or attached records to stays and is listed; children go before parents", async () => {
  const key = await createMigration(OBJECTS);
  const { organizationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  const accounts = await recordsOf("accounts", organizationId);
  const cases = await recordsOf("cases", organizationId);
  const comments = await recordsOf("case_comments", organizationId);
  const own = await run(createOperation("contacts"), context, {
    ...NEEDED.contacts,
    account_id: accounts[BETA ?? ""]?.id,
  });
  await run(updateOperation("cases"), context, { id: cases[sourceId("500", 1)]?.id, subject: "Edited" });
  await undo(context, key);
  const edited = idOf(cases, sourceId("500", 1));
  expect(await keptOf(context, key)).toEqual({
    [edited]: ["edited_here", null],
    [idOf(comments, sourceId("00a", 1))]: ["part", { resource: "cases", id: edited }],
    [idOf(comments, sourceId("02s", 1))]: ["part", { resource: "cases", id: edited }],
    [idOf(accounts, BETA)]: ["attached", { resource: "contacts", id: own.id }],
    [idOf(accounts, ACME)]: ["attached", { resource: "cases", id: edited }],
  });
  expect(Object.keys(await recordsOf("accounts", organizationId)).toSorted()).toEqual([ACME, BETA].toSorted());
  expect(Object.keys(await recordsOf("cases", organizationId))).toEqual([sourceId("500", 1)]);
  // Once nothing keeps it any more, a second undo takes it: the deleted contact no longer refers to its account.
  await run(deleteOperation("contacts"), context, { id: own.id });
  await undo(context, key);
  expect(Object.keys(await recordsOf("accounts", organizationId))).toEqual([ACME]);
});

test("what a later migration changed stays until that one is undone", async () => {
  const first = await createMigration(["Account"]);
  const context = await createContext({ organizationId: first.organizationId });
  await runMigration(first, org());
  const second = await createMigration(["Account"], undefined, first.organizationId);
  await runMigration(second, org("Acme renamed"));
  await undo(context, first);
  const accounts = await recordsOf("accounts", first.organizationId);
  expect(Object.keys(accounts)).toEqual([ACME]);
  expect(await keptOf(context, first)).toEqual({ [String(accounts[ACME ?? ""]?.id)]: ["changed_by_migration", null] });
  await undo(context, second);
  await undo(context, first);
  expect(await recordsOf("accounts", first.organizationId)).toEqual({});
});

test("an edit after an update keeps the record; a deleted one has nothing to restore", async () => {
  const first = await createMigration(["Account"]);
  const { organizationId } = first;
  const context = await createContext({ organizationId });
  await runMigration(first, org());
  const second = await createMigration(["Account"], undefined, organizationId);
  const source = org("Acme renamed");
  source.records.Account?.push(sourceRecord("001", 4, { Name: "New" }));
  Object.assign(source.records.Account?.[1] ?? {}, { Name: "Beta renamed" });
  Object.assign(source.records.Account?.[2] ?? {}, { Name: "Child renamed" });
  await runMigration(second, source);
  const accounts = await recordsOf("accounts", organizationId);
  const [acme, child] = [ACME, CHILD].map((extId) => String(accounts[extId ?? ""]?.id));
  await run(updateOperation("accounts"), context, { id: acme, phone: "1" });
  await run(deleteOperation("accounts"), context, { id: child });
  const kept = { edited_here: 1, deleted_here: 1 };
  expect(await undoAsForetold(context, second)).toEqual([{ resource: "accounts", deleted: 1, restored: 1, kept }]);
  expect(await keptOf(context, second)).toEqual({
    [acme ?? ""]: ["edited_here", null],
    [child ?? ""]: ["deleted_here", null],
  });
  expect((await recordsOf("accounts", organizationId))[ACME ?? ""]).toMatchObject({ name: "Acme renamed", phone: "1" });
});

test("records that people deleted meanwhile cannot come back after the undo, unless they were edited", async () => {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  await runMigration(key, org());
  const accounts = await recordsOf("accounts", key.organizationId);
  const [beta, child] = [BETA, CHILD].map((extId) => accounts[extId ?? ""]?.id);
  await run(updateOperation("accounts"), context, { id: beta, name: "Edited" });
  for (const id of [beta, child]) await run(deleteOperation("accounts"), context, { id });
  await undo(context, key);
  await expect(run(restoreOperation("accounts"), context, { id: child })).rejects.toMatchObject({ code: "not_found" });
  expect(await run(restoreOperation("accounts"), context, { id: beta })).toMatchObject({ name: "Edited" });
});

test("a circle of records that point at each other goes at once", async () => {
  const key = await createMigration(["Contact"]);
  const context = await createContext({ organizationId: key.organizationId });
  const [one, two, three] = [1, 2, 3].map((number) => sourceId("003", number));
  await runMigration(
    key,
    new ScriptedSource({ Contact: [circling(1, two), circling(2, one), circling(3, two), circling(4, three)] }),
  );
  await undo(context, key);
  expect(await recordsOf("contacts", key.organizationId)).toEqual({});
  expect((await statusOf(key)).progress?.resources.find(({ resource }) => resource === "contacts")).toMatchObject({
    deleted: 4,
    kept: 0,
    done: true,
  });
});

test("a page that is repeated does nothing twice, and an undo that ended is not worked on", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId, migrationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  await run(undoMigration, context, { migration_id: migrationId });
  const undoKey = { ...key, undoNumber: 1 };
  const slice = () => inOrganization(organizationId, () => workUndo(undoKey, 60_000));
  expect(await Promise.all([slice(), slice(), slice()])).toEqual(["ended", "ended", "ended"]);
  const { status, progress } = await statusOf(key);
  expect(status).toBe("undone");
  expect(progress?.resources.find(({ resource }) => resource === "accounts")).toMatchObject({
    deleted: 3,
    expected: 3,
  });
  expect(await slice()).toBe("ended");
  expect(await inOrganization(organizationId, () => nextStep(undoKey))).toBeUndefined();
});

test("an undo that fails is told as the undo, until a run begins", async () => {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  await runMigration(key, org());
  await run(undoMigration, context, { migration_id: key.migrationId });
  const seen = async () => {
    const { status, undo: progress } = await findMigration(key.organizationId, key.migrationId);
    return [status, progress?.failed, progress?.finished_at];
  };
  expect(await seen()).toEqual(["undoing", false, null]);
  await inOrganization(key.organizationId, () => failUndo({ ...key, undoNumber: 1 }, new Error("Broken.")));
  expect(await seen()).toEqual(["failed", true, null]);
  const again = await inOrganization(key.organizationId, () => transaction((client) => startRun(client, key)));
  await inOrganization(key.organizationId, () => failRun(again, describeFailure(new Error("Broken."), "migration")));
  expect(await seen()).toEqual(["failed", false, null]);
});

test("with send_events the undo emits events of what it deletes and restores, and without none", async () => {
  for (const send_events of [true, false]) {
    const first = await createMigration(["Account"]);
    const { organizationId } = first;
    const context = await createContext({ organizationId });
    await runMigration(first, org(), { configuration: { send_events: false } });
    const second = await createMigration(["Account"], undefined, organizationId);
    const source = org("Acme renamed");
    source.records.Account?.push(sourceRecord("001", 4, { Name: "New" }));
    await runMigration(second, source, { configuration: { send_events } });
    await pool().query(`DELETE FROM events WHERE organization_id = $1`, [organizationId]);
    await undo(context, second);
    const { rows } = await pool().query(
      `SELECT type, object ->> 'name' AS name, previous FROM events WHERE organization_id = $1 ORDER BY type`,
      [organizationId],
    );
    const emitted = [
      { type: "account.deleted", name: "New", previous: null },
      { type: "account.updated", name: "Acme", previous: { name: "Acme renamed" } },
    ];
    expect(rows).toEqual(send_events ? emitted : []);
  }
});

test("an undo is refused to members who are no admins, and to clients that act for them", async () => {
  const key = await createMigration(["Account"]);
  await runMigration(key, org());
  const member = await createContext({ organizationId: key.organizationId, role: "member" });
  for (const context of [member, { ...member, clientId: "app" }])
    await expect(run(undoMigration, context, { migration_id: key.migrationId })).rejects.toMatchObject({
      code: "forbidden",
    });
  expect(await statusOf(key)).toMatchObject({ status: "completed" });
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toHaveLength(3);
});

test("an undo is refused while the migration runs, and by others' organizations", async () => {
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  const input = { migration_id: key.migrationId };
  await expect(run(undoMigration, context, input)).rejects.toMatchObject({ code: "illegal_state" });
  await pool().query(`UPDATE migrations SET status = 'running' WHERE id = $1`, [key.migrationId]);
  await expect(run(undoMigration, context, input)).rejects.toMatchObject({ code: "illegal_state" });
  await expect(run(undoMigration, await createContext(), input)).rejects.toMatchObject({ code: "not_found" });
});

test("the stages of an opportunity go with it, so that a new import brings it without them", async () => {
  env.MIGRATION_PREVIEW_OBJECTS = ["opportunity"];
  onTestFinished(() => void (env.MIGRATION_PREVIEW_OBJECTS = []));
  const key = await createMigration(["Opportunity"]);
  const context = await createContext({ organizationId: key.organizationId });
  const source = new ScriptedSource({
    Opportunity: [sourceRecord("006", 1, { Name: "Deal", StageName: "Qualification" })],
  });
  await runMigration(key, source);
  const { id } = Object.values(await recordsOf("opportunities", key.organizationId))[0] ?? {};
  await run(updateOperation("opportunities"), context, { id, stage: "proposal" });
  const stagesOf = async () => (await run(listStageChanges, context, { id })).data;
  expect(await stagesOf()).toHaveLength(1);
  // The next run overwrites what was edited here, so nothing keeps the opportunity.
  Object.assign(source.records.Opportunity?.[0] ?? {}, { Name: "Deal renamed" });
  await runMigration(key, source);
  await undo(context, key);
  const again = await createMigration(["Opportunity"], undefined, key.organizationId);
  await runMigration(again, source);
  expect(await recordsOf("opportunities", key.organizationId)).toMatchObject({ [sourceId("006", 1)]: { id } });
  expect(await stagesOf()).toEqual([]);
});
