import { pool } from "@/lib/database/db";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type BulkProgress, inThisRun } from "@/lib/migration/pipeline/progress";

/** From here on REST reads an object, from its checkpoint, unless another worker reads it by a job of its own. */
export async function readByRest(
  run: RunKey,
  object: SourceObjectName,
  jobId: string | null,
  reason: string,
): Promise<void> {
  await pool().query(
    `UPDATE migration_objects SET api = 'rest', api_reason = $5, bulk_job = NULL
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3
       AND bulk_job -> 'job' ->> 'id' IS NOT DISTINCT FROM $4 AND ${inThisRun("$6")}`,
    [run.organizationId, run.migrationId, object, jobId, reason, run.runNumber],
  );
}

/** Stores the progress of an object whose job is `jobId`. False: the run was stopped, or another worker changed it. */
export async function storeBulkProgress(
  run: RunKey,
  object: SourceObjectName,
  jobId: string | null,
  progress: BulkProgress,
): Promise<boolean> {
  const stored = await pool().query(
    `UPDATE migration_objects SET bulk_job = $5 WHERE organization_id = $1 AND migration_id = $2 AND object = $3
       AND bulk_job -> 'job' ->> 'id' IS NOT DISTINCT FROM $4 AND ${inThisRun("$6")}`,
    [run.organizationId, run.migrationId, object, jobId, JSON.stringify(progress), run.runNumber],
  );
  return stored.rowCount === 1;
}

/** Takes the jobs of the Bulk API that a run left behind when it ended. A paused run goes on with its jobs. */
export async function takeLeftJobs(run: RunKey): Promise<string[]> {
  const left = await pool().query<{ id: string }>(
    `WITH left_behind AS (
       SELECT o.organization_id, o.migration_id, o.object, o.bulk_job -> 'job' ->> 'id' AS id
       FROM migration_objects o JOIN migrations m ON m.organization_id = o.organization_id AND m.id = o.migration_id
       WHERE o.organization_id = $1 AND o.migration_id = $2 AND m.run_number = $3
         AND m.status NOT IN ('running', 'paused') AND o.bulk_job -> 'job' ->> 'id' IS NOT NULL
       FOR UPDATE OF o
     )
     UPDATE migration_objects o SET bulk_job = NULL FROM left_behind l
     WHERE o.organization_id = l.organization_id AND o.migration_id = l.migration_id AND o.object = l.object
     RETURNING l.id`,
    [run.organizationId, run.migrationId, run.runNumber],
  );
  return left.rows.map(({ id }) => id);
}
