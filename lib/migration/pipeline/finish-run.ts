import type { Pool, PoolClient } from "pg";

import { transaction } from "@/lib/database/db";
import { countOutcomes, recordHistory } from "@/lib/migration/history/record-history";
import type { Failure, Migration, RunKey } from "@/lib/migration/migration-schema";
import { objectName, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { moveStatus } from "@/lib/migration/status";

/** SQL for the sum of an object's outcomes. It must equal the number of records in the source. */
export const ACCOUNTED_FOR = "(created + updated + unchanged + skipped + failed)";

/** SQL: objects of this run and of earlier ones. Those of a phase that has not run yet are still to come. */
export const BEGUN = "(in_run OR started_at IS NOT NULL)";

/** SQL: an object that is not done, has another sum than the source, or whose deletions a delta has yet to make. */
const IS_OPEN = `(status <> 'done' OR source IS DISTINCT FROM ${ACCOUNTED_FOR} OR (in_run AND NOT are_deletions_done))`;

interface Gap {
  object: SourceObjectName;
  source: string | null;
  accounted: string;
  lacks_deletions: boolean;
}

/**
 * Ends a run: `completed`, or `completed_with_errors` when records failed, if and only if every object that has begun,
 * in this run or in one of another phase, is done, its sum equals the source, and a delta has made its deletions;
 * otherwise `failed` with the differences. The condition is part of the UPDATE, so nothing can bypass it.
 */
export async function finishRun(pool: Pool, run: RunKey): Promise<void> {
  const completed = await transaction(async (client) => {
    const status = await complete(client, run);
    if (!status) return false;
    await recordHistory(client, run, { event: status, details: { counts: await countOutcomes(client, run) } });
    return true;
  });
  if (!completed) await failRun(run, notReconciled(await gapsOf(pool, run)));
}

type Completed = Extract<Migration["status"], "completed" | "completed_with_errors">;

/** Undefined: not every object is reconciled, or the run has been stopped. */
async function complete(client: PoolClient, run: RunKey): Promise<Completed | undefined> {
  const objects = `FROM migration_objects o
    WHERE o.organization_id = m.organization_id AND o.migration_id = m.id AND ${BEGUN}`;
  const { rows } = await client.query<{ status: Completed }>(
    `UPDATE migrations m SET finished_at = now(), updated_at = now(),
       status = CASE WHEN EXISTS (SELECT 1 ${objects} AND o.failed > 0)
         THEN 'completed_with_errors' ELSE 'completed' END::migration_status
     WHERE organization_id = $1 AND id = $2 AND run_number = $3 AND status = 'running' AND EXISTS (SELECT 1 ${objects})
       AND NOT EXISTS (SELECT 1 ${objects} AND ${IS_OPEN})
     RETURNING status`,
    [run.organizationId, run.migrationId, run.runNumber],
  );
  return rows[0]?.status;
}

/** Ends a run in `failed` with the reason. Throws `illegal_state` if the run has already ended. */
export async function failRun(run: RunKey, failure: Failure): Promise<void> {
  // In one transaction, so that a run that is started meanwhile keeps its own objects.
  await transaction(async (client) => {
    const only = { runNumber: run.runNumber, from: ["running"] } as const;
    await moveStatus(client, run, "failed", { failure, finished_at: new Date() }, only);
    await client.query(
      `UPDATE migration_objects SET status = 'failed', finished_at = now() WHERE organization_id = $1
        AND migration_id = $2 AND status = 'running'`,
      [run.organizationId, run.migrationId],
    );
  });
}

async function gapsOf(pool: Pool, run: RunKey): Promise<Gap[]> {
  const gaps = await pool.query<Gap>(
    `SELECT object, source, ${ACCOUNTED_FOR} AS accounted,
       status = 'done' AND in_run AND NOT are_deletions_done AS lacks_deletions
     FROM migration_objects
     WHERE organization_id = $1 AND migration_id = $2 AND ${BEGUN} AND ${IS_OPEN}
     ORDER BY position`,
    [run.organizationId, run.migrationId],
  );
  return gaps.rows;
}

function notReconciled(gaps: readonly Gap[]): Failure {
  const sums = gaps.map(({ object, source, accounted, lacks_deletions: lacksDeletions }) =>
    lacksDeletions
      ? `${objectName(object)}: not all that was deleted in Salesforce was looked for`
      : `${objectName(object)}: Salesforce has ${source ?? "an unknown number"}, ${accounted} are accounted for`,
  );
  return {
    code: "not_reconciled",
    detail: `Not every record is accounted for. ${sums.join("; ")}.`,
    remedy:
      "Run the migration again: what has been imported stays, nothing is imported twice, and what is missing is " +
      "imported.",
  };
}
