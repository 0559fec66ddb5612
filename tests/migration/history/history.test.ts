import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { cancelMigration, pauseMigration, resumeMigration } from "@/lib/migration/runs/control-run";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";
import type { HistoryEntry } from "@/lib/migration/history/history-schema";
import { listHistory } from "@/lib/migration/history/list-history";
import { recordHistory } from "@/lib/migration/history/record-history";
import { recordWorker } from "@/lib/migration/history/record-worker";
import { startDueDeltas, startMigrationDelta } from "@/lib/migration/runs/start-delta";
import { startMigration } from "@/lib/migration/runs/start-migration";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { failUndo } from "@/lib/migration/undo/work-undo";
import type { Context } from "@/lib/context";
import { SalesforceError } from "@/lib/salesforce/errors";
import { recordJobs } from "@/tests/migration/support/api-service";
import { createMigration, workToTheEnd } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { workSlice } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

interface Page {
  data: HistoryEntry[];
  next_cursor: string | null;
}

const source = () => new ScriptedSource({ Account: [1, 2, 3].map((n) => sourceRecord("001", n, { Name: `A ${n}` })) });

async function pageOf(context: Context, { migrationId }: MigrationKey, more: object = {}): Promise<Page> {
  return (await run(listHistory, context, { migration_id: migrationId, ...more })) as unknown as Page;
}

/** Oldest first. */
async function historyOf(context: Context, key: MigrationKey): Promise<HistoryEntry[]> {
  return (await pageOf(context, key)).data.toReversed();
}

async function ready() {
  recordJobs();
  const key = await createMigration(["Account"]);
  const context = await createContext({ organizationId: key.organizationId });
  const input = { migration_id: key.migrationId };
  const start = () => run(startMigration, context, input);
  return { key, context, input, start, runKey: { ...key, runNumber: 1 } };
}

test("a run that is paused, resumed and finished tells so, by whom, and with the outcomes of its objects", async () => {
  const { key, context, input, start, runKey } = await ready();
  await start();
  await run(pauseMigration, context, input);
  await run(resumeMigration, context, input);
  await workToTheEnd(runKey, source());
  const history = await historyOf(context, key);
  const counts = { created: 3, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };
  expect(history.map(({ event, user_id, object }) => [event, user_id, object])).toEqual([
    ["run_started", context.userId, null],
    ["paused", context.userId, null],
    ["resumed", context.userId, null],
    ["object_finished", null, "Account"],
    ["completed", null, null],
  ]);
  expect(history.every(({ run_number, run_kind }) => run_number === 1 && run_kind === "full")).toBe(true);
  expect(history.slice(-2).map((entry) => entry.counts)).toEqual([counts, counts]);
  expect(history[0]?.user_name).toEqual(expect.any(String));
});

test("a refused access and an org that does not answer are told with their reasons, once", async () => {
  const { key, context, start, runKey } = await ready();
  await start();
  const org = source();
  let fault: SalesforceError | undefined = new SalesforceError("source_unreachable", "Away.", {
    status: 503,
    transient: true,
  });
  org.beforeQuery = () => {
    if (fault) throw fault;
  };
  for (const _ of [1, 2]) await expect(workSlice(runKey, async () => org, 60_000)).rejects.toThrow("Away.");
  fault = undefined;
  org.beforeQuery = (soql) => {
    if (soql.includes("ORDER BY Id"))
      throw new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  };
  await workSlice(runKey, async () => org, 60_000);
  const history = await historyOf(context, key);
  expect(history.map(({ event }) => event)).toEqual(["run_started", "waiting", "paused"]);
  expect(history[1]?.reason).toEqual(expect.any(String));
  expect(history[2]).toMatchObject({ user_id: null, reason: expect.any(String), remedy: expect.any(String) });
});

test("a delta, its schedule, an undo and a scheduled delta that is refused are told", async () => {
  const { key, context, input, start, runKey } = await ready();
  const org = source();
  org.now = new Date();
  await start();
  await workToTheEnd(runKey, org);
  await run(startMigrationDelta, context, input);
  await run(cancelMigration, context, input);
  await run(scheduleDeltas, context, { ...input, every_minutes: 60 });
  await pool().query("UPDATE migrations SET delta_next_at = now() WHERE id = $1", [key.migrationId]);
  await pool().query("UPDATE migration_objects SET read_until = NULL WHERE migration_id = $1", [key.migrationId]);
  await startDueDeltas();
  await run(unscheduleDeltas, context, input);
  await run(undoMigration, context, input);
  const undo = { ...key, undoNumber: 1 };
  await inOrganization(key.organizationId, () => failUndo(undo, new Error("Broken.")));
  const history = (await historyOf(context, key)).slice(3);
  expect(history.map(({ event, run_kind, every_minutes }) => [event, run_kind, every_minutes])).toEqual([
    ["run_started", "delta", null],
    ["cancelled", "delta", null],
    ["delta_scheduled", "delta", 60],
    ["delta_refused", "delta", null],
    ["delta_unscheduled", "delta", null],
    ["undo_started", "delta", null],
    ["undo_failed", "delta", null],
  ]);
  expect(history[3]?.reason).toContain("Run the migration again");
  // After an undo that failed, a delta would bring only what changed since.
  await expect(run(scheduleDeltas, context, { ...input, every_minutes: 60 })).rejects.toMatchObject({
    code: "illegal_state",
  });
});

test("a run that another worker takes over tells so once, however many processes work on it then", async () => {
  const { key, context, start, runKey } = await ready();
  await start();
  const takeOver = () => inOrganization(key.organizationId, () => recordWorker(runKey));
  await takeOver();
  expect((await historyOf(context, key)).map(({ event }) => event)).toEqual(["run_started"]);
  for (const _ of [1, 2]) {
    await pool().query("UPDATE migrations SET worker_id = $2 WHERE id = $1", [key.migrationId, newId()]);
    await takeOver();
  }
  expect((await historyOf(context, key)).map(({ event }) => event)).toEqual(["run_started", "worker_replaced"]);
});

test("the history has pages, is bounded, and is not shown to other organizations", async () => {
  const { key, context, start } = await ready();
  await pool().query(
    `INSERT INTO migration_history (organization_id, migration_id, id, created_at, event, run_number, run_kind)
     SELECT $1, $2, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'waiting', 0, 'full'
     FROM generate_series(1, 2100) AS n`,
    [key.organizationId, key.migrationId],
  );
  await start();
  const { rows } = await pool().query("SELECT count(*)::int FROM migration_history WHERE migration_id = $1", [
    key.migrationId,
  ]);
  expect(rows).toEqual([{ count: 2001 }]);
  const first = await pageOf(context, key, { limit: 2 });
  const second = await pageOf(context, key, { limit: 2, cursor: first.next_cursor });
  expect(first.data.map(({ event }) => event)).toEqual(["run_started", "waiting"]);
  expect(second.data).toHaveLength(2);
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
  await expect(pageOf(await createContext(), key)).rejects.toMatchObject({ code: "not_found" });
});

test("an entry is stored with what it tells of, or not at all", async () => {
  const { key, context } = await ready();
  const rolledBack = transaction(async (client) => {
    await recordHistory(client, key, { event: "reconnected" });
    throw new Error("No.");
  });
  await expect(inOrganization(key.organizationId, () => rolledBack)).rejects.toThrow("No.");
  expect(await historyOf(context, key)).toEqual([]);
});
