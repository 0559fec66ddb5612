import { beforeEach, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { registerJobSender } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { getProof } from "@/lib/migration/proof/prove-migration";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { failUndo, workUndo } from "@/lib/migration/undo/work-undo";
import { inOrganization } from "@/lib/database/organization-scope";
import { execute, valueOf } from "@/lib/operation";
import { deleteOperation, restoreOperation, updateOperation } from "@/lib/records/operations";
import { change, contextOf, delta, imported, source, two } from "@/tests/migration/support/delta";
import { recordsOf, runMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { sourceId } from "@/tests/migration/support/scripted-source";
import { keptOf, undo, workOnUndo } from "@/tests/migration/support/undo";
import { findMigration, startDelta, workSlice } from "@/tests/migration/support/within";
import { refusal } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction as asOwner } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

async function undoOf(key: MigrationKey): Promise<void> {
  await undo(await createContext({ organizationId: key.organizationId }), key);
}

test("after an undo no delta of the same org goes on, also if its last one found nothing new", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  await delta(second, org);
  org.now = new Date(org.now.getTime() + 3600_000);
  await delta(second, org);
  await undoOf(first);
  expect(await recordsOf("accounts", first.organizationId)).toEqual({});
  await expect(transaction((tx) => startDelta(tx, second))).rejects.toThrow(/an undo has removed some/);
});

test("another migration of the org is no longer called reconciled", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  await undoOf(first);
  const seen = await findMigration(second.organizationId, second.migrationId);
  expect([seen.status, seen.reconciled, seen.outdated_by_undo]).toEqual(["completed", false, true]);
});

/** Whether each proof says that an undo has come since. */
async function outdatedProofs(...keys: MigrationKey[]): Promise<boolean[]> {
  const read = keys.map(async (key) => execute(getProof, contextOf(key), { migration_id: key.migrationId }));
  return (await Promise.all(read)).map((found) => valueOf(found).outdated_by_undo);
}

/** Proofs that were made a moment ago. */
async function storeProofs(...keys: MigrationKey[]): Promise<void> {
  for (const { organizationId, migrationId } of keys)
    await pool().query(
      `INSERT INTO migration_proofs (organization_id, migration_id, run_number, status, requested_at)
       VALUES ($1, $2, 1, 'done', now())
       ON CONFLICT (organization_id, migration_id) DO UPDATE SET requested_at = now()`,
      [organizationId, migrationId],
    );
}

test("a proof from before the undo says so, of this migration and of others, and a later one does not", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  await storeProofs(first, second);
  expect(await outdatedProofs(first, second)).toEqual([false, false]);
  await undoOf(first);
  expect(await outdatedProofs(first, second)).toEqual([true, true]);
  await storeProofs(second);
  expect(await outdatedProofs(first, second)).toEqual([true, false]);
});

test("a proof that was made while an undo went on is outdated, too, when that has failed", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  await execute(undoMigration, contextOf(first), { migration_id: first.migrationId });
  await storeProofs(second);
  // A second apart each: times are stored in milliseconds, and an undo can fail within one.
  await pool().query("UPDATE migrations SET undo_started_at = undo_started_at - interval '2 seconds' WHERE id = $1", [
    first.migrationId,
  ]);
  await pool().query(
    "UPDATE migration_proofs SET requested_at = requested_at - interval '1 second' WHERE migration_id = $1",
    [second.migrationId],
  );
  await inOrganization(first.organizationId, () => failUndo({ ...first, undoNumber: 1 }, new Error("Broken.")));
  expect(await outdatedProofs(second)).toEqual([true]);
  await storeProofs(second);
  expect(await outdatedProofs(second)).toEqual([false]);
});

test("which the question before the undo foretells by naming that migration", async () => {
  const org = source();
  const { first, second } = await two(org);
  const foretold = () => execute(getUndoImpact, contextOf(first), { migration_id: first.migrationId }).then(valueOf);
  expect(await foretold()).toMatchObject({ outdates: [] });
  await runMigration(second, org);
  const { created_at, finished_at } = await findMigration(second.organizationId, second.migrationId);
  expect(await foretold()).toMatchObject({
    outdates: [{ migration_id: second.migrationId, created_at, finished_at }],
  });
});

test("until it has run again, when it has brought back what the undo took out", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  await undoOf(first);
  await runMigration(second, org);
  const seen = await findMigration(second.organizationId, second.migrationId);
  expect([seen.reconciled, seen.outdated_by_undo]).toEqual([true, false]);
  expect(Object.keys(await recordsOf("accounts", second.organizationId))).toHaveLength(3);
});

test("a migration that ended before the undone one was connected has lost nothing, and stays reconciled", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  await undoOf(second);
  const seen = await findMigration(first.organizationId, first.migrationId);
  expect([seen.reconciled, seen.outdated_by_undo]).toEqual([true, false]);
  org.now = new Date(org.now.getTime() + 60_000);
  expect((await delta(first, org)).status).toBe("completed");
});

test("nor is one that has run beside the undo", async () => {
  const org = source();
  const { first, second } = await two(org);
  await execute(undoMigration, contextOf(first), { migration_id: first.migrationId });
  await runMigration(second, org);
  const { rows } = await pool().query<{ undo_number: number }>("SELECT undo_number FROM migrations WHERE id=$1", [
    first.migrationId,
  ]);
  const k = { ...first, undoNumber: rows[0]?.undo_number ?? 0 };
  while ((await inOrganization(first.organizationId, () => workUndo(k, 0))) === "more");
  await expect(transaction((tx) => startDelta(tx, second))).rejects.toThrow(/an undo has removed some/);
});

test("nor is a delta beside which an undo began and ended", async () => {
  const org = source();
  const { first, second } = await two(org);
  await runMigration(second, org);
  org.now = new Date(org.now.getTime() + 60_000);
  const run = await transaction((tx) => startDelta(tx, second));
  await workSlice(run, async () => org, 0);
  await undoOf(first);
  await workToTheEnd(run, org);
  const seen = await findMigration(second.organizationId, second.migrationId);
  expect([seen.status, seen.reconciled, seen.outdated_by_undo]).toEqual(["completed", false, true]);
  await expect(transaction((tx) => startDelta(tx, second))).rejects.toThrow(/an undo has removed some/);
});

test("a run of one phase does not hide what an undo took away from the others", async () => {
  const org = source();
  const key = await imported(org);
  await undoOf(key);
  await pool().query("UPDATE migrations SET status = 'failed' WHERE id = $1", [key.migrationId]);
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [
    key.migrationId,
    configurationSchema.parse({ objects: { Case: { phase: 2 }, CaseComment: { phase: 2 } } }),
  ]);
  const { status } = await runMigration(key, org, { phase: 1 });
  const seen = await findMigration(key.organizationId, key.migrationId);
  expect([status, seen.reconciled]).not.toEqual(["completed", true]);
});

test("what people wrote where no field goes to any more is not lost by an undo after a run that kept it", async () => {
  const org = source();
  change(org, "Contact", 0, { Title: "Dr", Department: "Sales" });
  const { first, second } = await two(org);
  const contact = async () => (await recordsOf("contacts", first.organizationId))[sourceId("003", 1)];
  change(org, "Contact", 0, { Title: "Prof" });
  await runMigration(second, org);
  const context = await createContext({ organizationId: first.organizationId });
  await execute(updateOperation("contacts"), context, { id: String((await contact())?.id), department: "Ours" });
  change(org, "Contact", 0, { Title: "Sir" });
  const objects = { Contact: { selected: true, fields: { Department: null }, values: {} } };
  await runMigration(second, org, { configuration: { objects } });
  expect(await contact()).toMatchObject({ title: "Sir", department: "Ours" });
  await undo(context, second);
  expect(await contact()).toMatchObject({ title: "Sir", department: "Ours" });
  expect(await keptOf(context, second)).toMatchObject({ [String((await contact())?.id)]: ["edited_here", null] });
});

test("a case stays one of whose comments somebody edits while the undo is about to delete it", async () => {
  const key = await imported(source());
  const context = await createContext({ organizationId: key.organizationId });
  const [comment] = Object.values(await recordsOf("case_comments", key.organizationId));
  await execute(undoMigration, context, { migration_id: key.migrationId });
  const { worked } = await asOwner(async (client) => {
    const edit = "UPDATE case_comments SET body = 'Edited', version = version + 1 WHERE id = $1";
    await client.query(edit, [comment?.id]);
    const working = workOnUndo(context, key.migrationId);
    await untilLockWaits(1);
    return { worked: working };
  });
  await worked;
  expect((await recordsOf("case_comments", key.organizationId))[String(comment?.ext_id)]).toMatchObject({
    id: comment?.id,
    body: "Edited",
  });
  expect(await keptOf(context, key)).toMatchObject({
    [String(comment?.case_id)]: ["attached", { resource: "case_comments", id: comment?.id }],
  });
});

test("a record is not restored while its migration is being undone, and cannot be thereafter", async () => {
  const key = await imported(source());
  const context = await createContext({ organizationId: key.organizationId });
  const [account] = Object.values(await recordsOf("accounts", key.organizationId));
  await execute(deleteOperation("accounts"), context, { id: account?.id });
  const restore = () => refusal(execute(restoreOperation("accounts"), context, { id: account?.id }));
  const { undoing, refused } = await asOwner(async (client) => {
    await client.query("SELECT FROM migrations WHERE id = $1 FOR UPDATE", [key.migrationId]);
    const beginning = execute(undoMigration, context, { migration_id: key.migrationId });
    await untilLockWaits(1);
    const restoring = restore();
    await untilLockWaits(2);
    return { undoing: beginning, refused: restoring };
  });
  await undoing;
  expect((await refused).code).toBe("conflict");
  await workOnUndo(context, key.migrationId);
  expect((await restore()).code).toBe("not_found");
  expect(await recordsOf("accounts", key.organizationId)).toEqual({});
});
