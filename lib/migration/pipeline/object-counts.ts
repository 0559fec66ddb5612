import type { PoolClient } from "pg";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { Counts } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import type { BulkProgress, RunKey } from "@/lib/migration/pipeline/progress";

type LeftOutCounts = Pick<Counts, "skipped" | "failed">;

export const NONE_LEFT_OUT: LeftOutCounts = { skipped: 0, failed: 0 };

/** The counts without what earlier runs had counted as left out. */
export function subtractLeftOut<T extends LeftOutCounts>(counts: T, { skipped, failed }: LeftOutCounts): T {
  return { ...counts, skipped: counts.skipped - skipped, failed: counts.failed - failed };
}

/** Forgets why records were left out before, and returns how many were: something else becomes of them now. */
export async function forgetIssues(
  client: PoolClient,
  run: RunKey,
  object: SourceObjectName,
  ids: readonly string[],
): Promise<LeftOutCounts> {
  const { rows } = await client.query<LeftOutCounts>(
    `WITH removed AS (
       DELETE FROM migration_record_issues
       WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND ext_id = ANY ($4::text[])
       RETURNING outcome
     ) SELECT count(*) FILTER (WHERE outcome = 'skipped')::int AS skipped,
       count(*) FILTER (WHERE outcome = 'failed')::int AS failed FROM removed`,
    [run.organizationId, run.migrationId, object, ids],
  );
  return rows[0] ?? NONE_LEFT_OUT;
}

/** As {@link forgetIssues}, for records that a delta reads: they are no longer carried over from the runs before. */
export async function takeCarried(
  client: PoolClient,
  run: RunKey,
  { object }: Plan,
  outcomes: readonly Outcome[],
): Promise<LeftOutCounts> {
  const ids = outcomes.map((outcome) => ("issue" in outcome ? outcome.issue.ext_id : outcome.row.ext_id));
  const left = await forgetIssues(client, run, object.name, ids);
  await client.query(
    `UPDATE migration_objects SET carried = carried - $4
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object.name, left.skipped + left.failed],
  );
  return left;
}

/** Adds to the counts of an object, and moves its checkpoint unless it is null. */
export async function addCounts(
  client: PoolClient,
  run: RunKey,
  object: SourceObjectName,
  { last, bulkJob }: { last: string | null; bulkJob?: BulkProgress },
  counts: Counts,
): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET checkpoint = coalesce($4, checkpoint), created = created + $5, updated = updated + $6,
       unchanged = unchanged + $7, skipped = skipped + $8, failed = failed + $9,
       bulk_job = coalesce($10::jsonb, bulk_job)
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [
      run.organizationId,
      run.migrationId,
      object,
      last,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.skipped,
      counts.failed,
      bulkJob ? JSON.stringify(bulkJob) : null,
    ],
  );
}
