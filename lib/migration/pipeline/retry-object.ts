import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { addCounts, forgetIssues, subtractLeftOut } from "@/lib/migration/pipeline/object-counts";
import { storeLocked } from "@/lib/migration/pipeline/store-locked";
import { PARENT_NOT_HERE } from "@/lib/migration/pipeline/load/leave-out";
import { storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import { type LockProgress, lockAtCheckpoint, type ObjectProgressRow } from "@/lib/migration/pipeline/progress";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { readOutcomes } from "@/lib/migration/pipeline/read/read-outcomes";
import type { Reading } from "@/lib/migration/pipeline/read-object";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";

/**
 * SQL: an issue whose record a retry reads. Records that lacked a failed one may find it now. What is to be merged with
 * other records is not read alone: a full run merges it with all of them.
 */
export const toRetry = (issue: string): string =>
  `(${issue}.outcome = 'failed' OR ${issue}.code = '${PARENT_NOT_HERE}') AND NOT EXISTS (
    SELECT FROM duplicate_searches s
    JOIN duplicate_records d ON d.organization_id = s.organization_id AND d.search_id = s.id
    WHERE s.organization_id = ${issue}.organization_id AND s.migration_id = ${issue}.migration_id
      AND s.object = ${issue}.object AND s.purpose = 'run' AND s.choices ->> 'action' <> 'create'
      AND d.member = ${issue}.ext_id AND d.cluster_id IS NOT NULL)`;

const FIND = `SELECT ext_id FROM migration_record_issues i
  WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND ext_id > $4 AND ${toRetry("i")}
  ORDER BY ext_id LIMIT ${IDS_PER_QUERY}`;

/**
 * Reads the records of an object that failed in the last run by their ids, and stores what becomes of them now in place
 * of what became of them then. The checkpoint is the last id; see `readObject`.
 */
export async function retryObject(
  session: RunSession,
  progress: ObjectProgressRow,
  deadline: number,
): Promise<Reading> {
  const plan = await planOf(session, progress.object);
  const { organizationId, migrationId } = session.run;
  let after = progress.checkpoint;
  for (;;) {
    const { rows } = await pool().query<{ ext_id: string }>(FIND, [
      organizationId,
      migrationId,
      progress.object,
      after ?? "",
    ]);
    const ids = rows.map(({ ext_id }) => ext_id);
    const last = ids.at(-1);
    if (last === undefined) return { outcome: "read", checkpoint: after };
    const outcomes = await readOutcomes(session, plan, ids);
    if (after === null) await stopWaiting(session.run);
    if (!(await storeAgain(session, plan, { ids, outcomes, after, last }))) return { outcome: "overtaken" };
    after = last;
    if (performance.now() >= deadline || isLimitReached(session.api)) return { outcome: "time_up" };
  }
}

/**
 * Subtracts the records that the retry has read from those carried over from earlier runs, whatever their new outcome.
 */
async function countAsRead(client: PoolClient, run: RunKey, { object }: Plan, records: number): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET carried = greatest(carried - $4, 0)
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object.name, records],
  );
}

interface Batch {
  ids: readonly string[];
  outcomes: readonly Outcome[];
  after: string | null;
  last: string;
}

/** Replaces what became of records. False: the run was stopped, or another worker has gone further. */
async function storeAgain(session: RunSession, plan: Plan, { ids, outcomes, after, last }: Batch): Promise<boolean> {
  const { run, configuration: choices } = session;
  const lock: LockProgress = (client) => lockAtCheckpoint(client, run, plan.object.name, after);
  const stored = await storeLocked({ run, choices }, lock, async (client) => {
    const before = await forgetIssues(client, run, plan.object.name, ids);
    const { size, ...counts } = await storeOutcomes({ client, run, plan, choices }, outcomes, null);
    await addCounts(client, run, plan.object.name, { last }, subtractLeftOut(counts, before));
    await countAsRead(client, run, plan, ids.length);
    return { size };
  });
  return stored !== null;
}
