import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Counts, storeIssues } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Issue, Outcome } from "@/lib/migration/pipeline/map/transform";
import type { BulkProgress } from "@/lib/migration/pipeline/progress";

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
  const left = await forgetIssues(client, run, object.name, idsOf(outcomes));
  await lowerCarried(client, run, object.name, left);
  return left;
}

/**
 * As {@link takeCarried}, for the records that a delta has stored only with the clusters of others: why they were left
 * out before is forgotten, or replaced by why they are now. Returns how many fewer are left out.
 */
export async function takeCarriedOfClusters(
  client: PoolClient,
  run: RunKey,
  { object }: Plan,
  clusters: PageClusters | null,
): Promise<LeftOutCounts> {
  if (!clusters || clusters.others.length === 0) return NONE_LEFT_OUT;
  const { rows } = await client.query<{ outcome: Issue["outcome"]; issue: Issue | null }>(
    `DELETE FROM migration_record_issues i USING duplicate_records d
     WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3 AND i.ext_id = ANY ($4::text[])
       AND d.organization_id = $1 AND d.search_id = $5 AND d.member = i.ext_id AND d.outcome IS NOT NULL
     RETURNING i.outcome, d.issue`,
    [run.organizationId, run.migrationId, object.name, idsOf(clusters.others), clusters.searchId],
  );
  const issues = rows.flatMap(({ issue }) => issue ?? []);
  await storeIssues(client, run, object.name, issues);
  const left = subtractLeftOut(countLeftOut(rows), countLeftOut(issues));
  await lowerCarried(client, run, object.name, left);
  return left;
}

function idsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.map((outcome) => ("issue" in outcome ? outcome.issue.ext_id : outcome.row.ext_id));
}

function countLeftOut(some: readonly Pick<Issue, "outcome">[]): LeftOutCounts {
  const skipped = some.filter(({ outcome }) => outcome === "skipped").length;
  return { skipped, failed: some.length - skipped };
}

async function lowerCarried(
  client: PoolClient,
  run: RunKey,
  object: SourceObjectName,
  { skipped, failed }: LeftOutCounts,
): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET carried = carried - $4
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object, skipped + failed],
  );
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
