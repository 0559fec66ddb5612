import type { PoolClient } from "pg";
import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { deleteOperation } from "@/lib/records/operations";
import { change, delta, deletedOf, imported, OBJECTS, source } from "@/tests/migration/support/delta";
import { createMigration, type Finished, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { type Answer, run } from "@/tests/records/support/write-operations";
import { createContext, insertRecord } from "@/tests/support/factories";
import { lockWaits, untilLockWaits } from "@/tests/support/lock-waits";
import { pool, transaction } from "@/tests/support/owner";

const [first, second] = [sourceId("001", 1), sourceId("001", 2)];

function sourceWith(Name: string): ScriptedSource {
  return new ScriptedSource({ Account: [sourceRecord("001", 1, { Name }), sourceRecord("001", 2, { Name: "Pumps" })] });
}

/** Two imported accounts. The first changes in the source with every run. */
async function importTwice(): Promise<{ key: MigrationKey; context: Context; again: () => Promise<Finished> }> {
  const key = await createMigration(["Account"]);
  await runMigration(key, sourceWith("Before"));
  return {
    key,
    context: await createContext({ organizationId: key.organizationId }),
    again: () => runMigration(key, sourceWith("After")),
  };
}

async function deletedExtIds({ organizationId }: MigrationKey): Promise<string[]> {
  const { rows } = await pool().query<{ ext_id: string }>(
    "SELECT ext_id FROM deleted_records WHERE organization_id = $1",
    [organizationId],
  );
  return rows.map(({ ext_id }) => ext_id);
}

test("a record that is deleted while its page is being stored stays deleted", async () => {
  const { key, context, again } = await importTwice();
  const { id } = (await recordsOf("accounts", key.organizationId))[second] as Answer;
  const begun: { finished?: Promise<Finished>; deletion?: Promise<Answer> } = {};
  // The page has looked up deletions and waits for its first record, which is locked. The second record is deleted only
  // now.
  await transaction(async (client: PoolClient) => {
    await client.query("SELECT FROM accounts WHERE organization_id = $1 AND ext_id = $2 FOR UPDATE", [
      key.organizationId,
      first,
    ]);
    begun.finished = again();
    await untilLockWaits(1);
    let isDeleted = false;
    begun.deletion = run(deleteOperation("accounts"), context, { id }).finally(() => (isDeleted = true));
    await expect.poll(async () => isDeleted || (await lockWaits()) === 2, { timeout: 20_000 }).toBe(true);
  });
  expect(await begun.finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 2, created: 0, updated: 1, unchanged: 1 } },
  });
  expect(await begun.deletion).toMatchObject({ deleted: true });
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toEqual([first]);
  expect(await deletedExtIds(key)).toEqual([second]);
});

test("a page waits for a concurrent deletion, and then skips the record by name", async () => {
  const { key, context, again } = await importTwice();
  const { id } = (await recordsOf("accounts", key.organizationId))[second] as Answer;
  // The run looks at both accounts.
  await pool().query("UPDATE accounts SET source_digest = NULL WHERE organization_id = $1", [key.organizationId]);
  const begun: { finished?: Promise<Finished>; deletion?: Promise<Answer> } = {};
  await transaction(async (client: PoolClient) => {
    // The deletion writes its event last.
    await client.query("LOCK TABLE events IN EXCLUSIVE MODE");
    begun.deletion = run(deleteOperation("accounts"), context, { id });
    await untilLockWaits(1);
    begun.finished = again();
    await untilLockWaits(2);
  });
  await begun.deletion;
  expect(await begun.finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 2, updated: 1, skipped: 1 } },
  });
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toEqual([first]);
});

test("deletions do not wait for each other", async () => {
  const context = await createContext();
  const ids = await Promise.all([1, 2, 3].map(() => insertRecord("leads", context.organizationId)));
  const deletions = await transaction(async (client: PoolClient) => {
    await client.query("LOCK TABLE events IN EXCLUSIVE MODE");
    const begun = ids.map((id) => run(deleteOperation("leads"), context, { id }));
    await expect.poll(waitingForEvents, { timeout: 20_000 }).toBe(3);
    return { begun };
  });
  expect(await Promise.all(deletions.begun)).toHaveLength(3);
});

test.each([true, false])(
  "a run goes on whose link to a record meets the deletion of that record; send_events: %s",
  async (send_events) => {
    const org = source();
    Object.assign(org.records.Account?.[1] ?? {}, { ParentId: first });
    const key = await imported(org, OBJECTS, { configuration: { send_events } });
    const { organizationId } = key;
    // As if the parent had come after its child.
    await pool().query(
      `UPDATE accounts SET parent_account_id = NULL, custom_fields = jsonb_build_object('ParentId', $2::text)
       WHERE organization_id = $1 AND ext_id = $3`,
      [organizationId, first, second],
    );
    const { id } = (await recordsOf("accounts", organizationId))[first] as Answer;
    const context = await createContext({ organizationId });
    const { deletion, finished } = await transaction(async (client: PoolClient) => {
      await client.query("SELECT FROM contacts WHERE account_id = $1 FOR UPDATE", [id]);
      const deleting = run(deleteOperation("accounts"), context, { id });
      await untilLockWaits(1);
      const running = runMigration(key, org, { configuration: { send_events } });
      await untilLockWaits(2);
      return { deletion: deleting, finished: running };
    });
    await deletion;
    expect(await finished).toMatchObject({ status: "completed", failure: null });
    expect((await recordsOf("accounts", organizationId))[second]).toMatchObject({ parent_account_id: null });
  },
);

test.each([
  [
    "adds a comment to",
    `INSERT INTO case_comments (organization_id, id, case_id, body, created_at, updated_at, position, is_public)
     SELECT organization_id, gen_random_uuid(), case_id, 'Ours', now(), now(), 9, true
     FROM case_comments WHERE organization_id = $1 AND ext_id = $2`,
  ],
  ["edits a comment of", "UPDATE case_comments SET version = version + 1 WHERE organization_id = $1 AND ext_id = $2"],
])("a case stays that somebody %s while a delta is about to delete it", async (_, statement) => {
  const org = source();
  const key = await imported(org);
  change(org, "Case", 0, { IsDeleted: true });
  const { finished } = await transaction(async (client: PoolClient) => {
    await client.query(statement, [key.organizationId, sourceId("00a", 1)]);
    const running = delta(key, org);
    await untilLockWaits(1);
    return { finished: running };
  });
  expect(await finished).toMatchObject({ status: "completed", lines: { Case: { skipped: 1 } } });
  expect(await deletedOf(key)).toEqual({});
});

async function waitingForEvents(): Promise<number> {
  const { rows } = await pool().query(
    "SELECT count(*)::int FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted",
  );
  return rows[0].count;
}
