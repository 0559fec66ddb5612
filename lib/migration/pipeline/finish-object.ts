import type { PoolClient } from "pg";

import { pool, retriedTransaction } from "@/lib/database/db";
import { type MigratedObjectName, finishAfter } from "@/lib/migration/objects/migrated-objects";
import { countOutcomes, recordHistory } from "@/lib/migration/history/record-history";
import { ACCOUNTED_FOR } from "@/lib/migration/pipeline/finish-run";
import { followChanges } from "@/lib/migration/pipeline/follow-changes";
import { storeHeldBack } from "@/lib/migration/pipeline/held-back";
import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import { linkAndEmit, linkSelfReferences } from "@/lib/migration/pipeline/load/references";
import type { Lock } from "@/lib/migration/pipeline/load/store-beside";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { storeUndeleted } from "@/lib/migration/pipeline/read-undeleted";
import { linkWaiting } from "@/lib/migration/pipeline/load/link-waiting";
import {
  listSelectedObjects,
  lockAtCheckpoint,
  type ObjectProgressRow,
  type RunKey,
} from "@/lib/migration/pipeline/progress";
import { countWindow } from "@/lib/migration/pipeline/read/window";
import { refreshStatistics, planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/**
 * Ends an object after its last page: does the work of its stage, and counts the source again, unless only the failed
 * records were read. The object is `done` if its sum equals that count, else `failed`. Does nothing if the run was
 * stopped or another worker has gone further.
 */
export async function finishObject(
  session: RunSession,
  { object, since }: Pick<ObjectProgressRow, "object" | "since">,
  checkpoint: string | null,
): Promise<void> {
  const { run } = session;
  const finish = finishAfter(object, await listSelectedObjects(run));
  const plan = await planOf(session, object);
  await refreshStatistics(session, plan);
  const lock = (client: PoolClient) => lockAtCheckpoint(client, run, object, checkpoint);
  const source = await countSource(session, plan, since, lock);
  const emits = session.configuration.send_events;
  if (since) await followChanges(session, plan, since, lock);
  if (finish === "link_self_references") await storeHeldBack(session, plan, lock);
  if (finish === "link_self_references" && emits) await linkAndEmit(plan.main, run, lock);
  const choiceOf = (other: string, field: string) =>
    session.configuration.objects[other as MigratedObjectName]?.relationships?.[field] ?? "heal";
  await linkWaiting(pool(), { ...run, target: plan.main.shape.resource, choiceOf, emits, lock });
  await retriedTransaction(async (client) => {
    if (!(await lock(client))) return;
    if (finish === "link_self_references" && !emits) await linkSelfReferences(client, plan.main, run);
    if (finish === "number_threads") await numberThreads(client, session);
    await closeObject(client, session, object, source);
  });
}

/**
 * Counts the source again; null if only the failed records were read. Records that a full run missed, because they were
 * restored in the source behind its checkpoint, are stored first; they are looked for only if some are missing.
 */
async function countSource(session: RunSession, plan: Plan, since: Date | null, lock: Lock): Promise<number | null> {
  const { client, kind, run, window } = session;
  if (kind === "retry") return null;
  const count = () => countWindow(client, plan.object.name, { ...window, since });
  const source = await count();
  const isMissed = kind === "full" && source > (await accountedFor(run, plan.object.name));
  return isMissed && (await storeUndeleted(session, plan, lock)) ? count() : source;
}

async function accountedFor(run: RunKey, object: MigratedObjectName): Promise<number> {
  const { rows } = await pool().query<{ records: number }>(
    `SELECT ${ACCOUNTED_FOR}::float8 AS records FROM migration_objects
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object],
  );
  return rows[0]?.records ?? 0;
}

/**
 * SQL: the number of records that must be accounted for, from the count $4. A record that is changed while a delta
 * reads leaves its window, and the next delta has it. So a delta may have read more than is counted afterwards, never
 * less.
 */
const SOURCE = {
  full: "$4::bigint",
  retry: "coalesce($4::bigint, source)",
  delta: `greatest($4::bigint + carried, ${ACCOUNTED_FOR})`,
};

async function closeObject(
  client: PoolClient,
  { run, kind }: RunSession,
  object: MigratedObjectName,
  source: number | null,
): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET source = ${SOURCE[kind]}, finished_at = now(),
       status = CASE WHEN ${ACCOUNTED_FOR} = ${SOURCE[kind]} THEN 'done' ELSE 'failed' END::migration_object_status
       ${kind === "delta" ? ", checkpoint = NULL" : ""}
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object, source],
  );
  const counts = await countOutcomes(client, run, object);
  // A delta goes through every object and brings something of few; a retry keeps the counts of earlier runs.
  const isWorthTelling = kind === "full" || (kind === "delta" && counts.created + counts.updated > 0);
  if (isWorthTelling) await recordHistory(client, run, { event: "object_finished", object, details: { counts } });
}

/**
 * Numbers the thread of every case from 1 by time. Entries of the same moment are numbered in the order of their source
 * ids. A delta numbers the threads with entries that are new there, if there are any: a thread that only lost some
 * keeps its order.
 */
async function numberThreads(client: PoolClient, { run, kind }: RunSession): Promise<void> {
  const { organizationId, migrationId } = run;
  if (kind === "delta" && !(await hasNewEntries(client, run))) return;
  const changed =
    kind === "delta"
      ? "AND case_id IN (SELECT case_id FROM case_comments WHERE organization_id = $1 AND position = 0)"
      : "";
  const { rows } = await client.query<{ raced: boolean }>(
    `WITH stored AS (
       UPDATE case_comments AS c SET position = numbered.position
       FROM (
         SELECT id, row_number() OVER (PARTITION BY case_id ORDER BY created_at, ext_id COLLATE "C", id) AS position
         FROM case_comments WHERE organization_id = $1 ${changed}
       ) AS numbered
       WHERE c.organization_id = $1 AND c.id = numbered.id AND c.position <> numbered.position
       RETURNING c.id, c.version, c.migration_id, false AS inserted
     ), ${keepBefore("case_comments", { raises: false, overwrites: false }, "$2")}
     SELECT ${RACED}`,
    [organizationId, migrationId],
  );
  assertNotRaced(rows[0]);
}

/** Also those of an earlier run that was stopped before it numbered them. */
async function hasNewEntries(client: PoolClient, { organizationId }: RunKey): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM case_comments WHERE organization_id = $1 AND position = 0 LIMIT 1",
    [organizationId],
  );
  return rowCount === 1;
}
