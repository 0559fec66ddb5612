import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { pool, retriedTransaction } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { type SourceObjectName, finishAfter } from "@/lib/migration/objects/source-object-names";
import { countOutcomes, recordHistory } from "@/lib/migration/history/record-history";
import { ACCOUNTED_FOR } from "@/lib/migration/pipeline/finish-run";
import { numberThreads } from "@/lib/migration/pipeline/number-threads";
import { refreshDependents } from "@/lib/migration/pipeline/finish/refresh-dependents";
import { storeAwaitingPosts } from "@/lib/migration/pipeline/finish/store-awaiting-posts";
import { storeHeldBack } from "@/lib/migration/pipeline/finish/store-held-back";
import { storeMissed } from "@/lib/migration/pipeline/finish/store-missed";
import { areVanished } from "@/lib/migration/pipeline/finish/vanished-records";
import { linkWaiting } from "@/lib/migration/pipeline/load/link-waiting";
import { linkSelfReferences } from "@/lib/migration/pipeline/load/references";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import {
  listSelectedObjects,
  type LockProgress,
  lockAtCheckpoint,
  type ObjectProgressRow,
} from "@/lib/migration/pipeline/progress";
import { countWindow } from "@/lib/migration/pipeline/read/window";
import { type ObjectEnd, refreshStatistics, planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/**
 * Ends an object after its last page: does the work of its stage, and counts the source again, unless only the failed
 * records were read. The object is `done` if its sum equals that count, else `failed`. False: there is more to do after
 * `deadline`, or the run was stopped, or another worker has gone further.
 */
export async function finishObject(
  session: RunSession,
  { object, since, dependency_checkpoint }: ObjectProgressRow,
  checkpoint: string | null,
  deadline: number,
): Promise<boolean> {
  const { run, configuration } = session;
  const finish = finishAfter(object, await listSelectedObjects(run));
  const plan = await planOf(session, object);
  const lock: LockProgress = (client) => lockAtCheckpoint(client, run, object, checkpoint);
  const refresh = since && { session, plan, since, checkpoint: dependency_checkpoint, deadline, lock };
  if (refresh && !(await refreshDependents(refresh))) return false;
  const ending = { since, checkpoint, lock, deadline };
  const end = await endOf(session, plan, ending);
  if (finish === "link_self_references" && !(await linkOwnRecords(session, plan, ending, end))) return false;
  const choiceOf = (other: string, field: string) =>
    configuration.objects[other as SourceObjectName]?.relationships?.[field] ?? "heal";
  const emits = configuration.send_events;
  const waiting = { ...run, target: plan.main.shape.resource, choiceOf, emits, lock, deadline };
  if (!(await linkWaiting(pool(), waiting))) return false;
  if (finish === "number_threads" && !(await numberThreads(session, lock, deadline, end))) return false;
  if (!(await storeAwaitingPosts(session, object, { deadline, lock }))) return false;
  return retriedTransaction(async (client) => {
    if (!(await lock(client))) return false;
    await closeObject(client, session, object, end.source);
    return true;
  });
}

interface Ending {
  since: Date | null;
  checkpoint: string | null;
  lock: LockProgress;
  deadline: number;
}

/**
 * Links the records of an object to each other that could not be linked as they were stored. It looks at all records
 * that are here, so a delta that has brought nothing of the object does not look. False as {@link finishObject} is.
 */
async function linkOwnRecords(session: RunSession, plan: Plan, ending: Ending, end: ObjectEnd): Promise<boolean> {
  const { run, configuration } = session;
  if (!(await storeHeldBack(session, plan, ending))) return false;
  if (ending.since && !(await hasRead(run, plan.object.name))) return true;
  return linkSelfReferences(plan.main, run, { ...ending, emits: configuration.send_events, linked: end.linked });
}

/** Whether a delta has read records of an object: one that it leaves out may still have been merged into another. */
async function hasRead(run: RunKey, object: SourceObjectName): Promise<boolean> {
  const { rowCount } = await pool().query(
    `SELECT FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 AND object = $3
       AND (created + updated > 0 OR ${ACCOUNTED_FOR} > carried)`,
    [run.organizationId, run.migrationId, object],
  );
  return rowCount === 1;
}

/** The end of an object, begun by the first slice that comes to it: the count may take all ids of the source. */
async function endOf(session: RunSession, plan: Plan, ending: Ending): Promise<ObjectEnd> {
  const { checkpoint } = ending;
  const known = session.ends.get(plan.object.name);
  if (known && known.checkpoint === checkpoint) return known;
  await refreshStatistics(session, plan);
  const end = { checkpoint, source: await countSource(session, plan, ending), numbered: MIN_UUID, linked: new Map() };
  session.ends.set(plan.object.name, end);
  return end;
}

/**
 * Counts the source again; null if only the failed records were read. Where all were to be read, records that were
 * missed, because they came behind the checkpoint in the source, are stored first; and those that have vanished there
 * since they were read count as well. Either is looked for only if the sums differ.
 */
async function countSource(session: RunSession, plan: Plan, { since, lock }: Ending): Promise<number | null> {
  const { client, kind, run, window } = session;
  if (kind === "retry") return null;
  const count = () => countWindow(client, plan.object.name, { ...window, since });
  let source = await count();
  if (since !== null) return source;
  let sums = await sumsOf(run, plan.object.name);
  if (source > sums.accounted && (await storeMissed(session, plan, lock))) {
    const before = sums;
    [source, sums] = [await count(), await sumsOf(run, plan.object.name)];
    // It was not there to be counted when the run began.
    sums.expected += sums.accounted - before.accounted;
  }
  const isLess = kind === "full" && source < sums.accounted;
  return isLess && (await areVanished(session, plan, { ...sums, source })) ? sums.accounted : source;
}

async function sumsOf(run: RunKey, object: SourceObjectName): Promise<{ accounted: number; expected: number }> {
  const { rows } = await pool().query<{ accounted: number; expected: number }>(
    `SELECT ${ACCOUNTED_FOR}::float8 AS accounted, coalesce(expected, 0)::float8 AS expected FROM migration_objects
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object],
  );
  return rows[0] ?? { accounted: 0, expected: 0 };
}

/**
 * SQL: how many records must be accounted for; $4 is the count. A record that is changed while a delta reads leaves its
 * window and belongs to the next delta, so a delta may have read more than is counted afterwards, never less.
 */
const SOURCE = {
  full: "$4::bigint",
  retry: "coalesce($4::bigint, source)",
  delta: `greatest($4::bigint + carried, ${ACCOUNTED_FOR})`,
};

async function closeObject(
  client: PoolClient,
  { run, kind }: RunSession,
  object: SourceObjectName,
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
