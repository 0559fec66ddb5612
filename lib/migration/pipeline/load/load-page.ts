import type { PoolClient } from "pg";

import { setStatementTimeout, retriedTransaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { numberCases } from "@/lib/migration/pipeline/load/case-numbers";
import { skipDeleted } from "@/lib/migration/pipeline/load/deleted-here";
import {
  type Alias,
  findMirroredTasks,
  storeAliases,
  removeOtherShape,
} from "@/lib/migration/pipeline/load/duplicates";
import { loadRows } from "@/lib/migration/pipeline/load/load-rows";
import { applyFallbacks } from "@/lib/migration/pipeline/load/references";
import type { Plan, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Issue, Outcome, Row } from "@/lib/migration/pipeline/map/transform";
import { lockAtCheckpoint, type RunKey } from "@/lib/migration/pipeline/progress";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

export interface Page {
  outcomes: readonly Outcome[];
  /** The checkpoint before the page, and the one after it. */
  after: string | null;
  last: string;
}

interface Batch {
  rows: Row[];
  aliases: Alias[];
}

/** The number of records of a page by outcome. */
interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

/** Long, because nobody waits for an answer, and the table may have no statistics or the disk may be slow. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Stores a page of records, its checkpoint and its counts in one transaction. With `emits`, webhooks get events of what
 * is created and changed. Returns the size of the page in characters of JSON; null if the run was stopped or another
 * worker has gone further, and nothing was written. Throws `storage_quota_exceeded`.
 */
export async function loadPage(run: RunKey, plan: Plan, page: Page, emits: boolean): Promise<number | null> {
  await assertStorageQuota(run.organizationId);
  const size = await storePage(run, plan, page, emits);
  await countStoredBytes(run.organizationId, (size ?? 0) * (emits ? 2 : 1));
  return size;
}

function storePage(run: RunKey, plan: Plan, page: Page, emits: boolean): Promise<number | null> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lockAtCheckpoint(client, run, plan.object.name, page.after))) return null;
    await lockDeletionsExclusive(client, run.organizationId);
    const outcomes = await skipDeleted(client, run.organizationId, plan, page.outcomes);
    const issues = outcomes.flatMap((outcome) => ("issue" in outcome ? [outcome.issue] : []));
    const counts = { created: 0, updated: 0, unchanged: 0 };
    let size = 0;
    for (const [shapePlan, batch] of batchesOf(outcomes)) {
      const rows = await resolveInDatabase(client, run, plan, batch.rows, issues);
      await applyFallbacks(client, shapePlan, run.organizationId, rows);
      const target = { client, plan: shapePlan, organizationId: run.organizationId, label: plan.object.label, emits };
      const loaded = await loadRows(target, rows);
      const extIds = rows.map((row) => row.ext_id);
      // A record that exists in its present shape has no other: the run that created it deleted that.
      if (loaded.created > 0) await removeOtherShape(client, plan, shapePlan, run.organizationId, extIds);
      await storeAliases(client, shapePlan, run.organizationId, batch.aliases);
      counts.created += loaded.created;
      counts.updated += loaded.updated;
      counts.unchanged += loaded.unchanged;
      size += loaded.size;
      issues.push(...loaded.issues);
    }
    await storeIssues(client, run, plan.object.name, issues);
    await advance(client, run, plan, page, { ...counts, ...countIssues(issues) });
    return size;
  });
}

function batchesOf(outcomes: readonly Outcome[]): Map<ShapePlan, Batch> {
  const batches = new Map<ShapePlan, Batch>();
  for (const outcome of outcomes) {
    if ("issue" in outcome) continue;
    const batch = batches.get(outcome.plan) ?? { rows: [], aliases: [] };
    batches.set(outcome.plan, batch);
    batch.rows.push(outcome.row);
    if (outcome.alias) batch.aliases.push({ ext_id: outcome.row.ext_id, alias: outcome.alias });
  }
  return batches;
}

/** Resolves what needs the database: case numbers, and tasks that are copies of e-mails. Returns the rows to store. */
async function resolveInDatabase(
  client: PoolClient,
  run: RunKey,
  plan: Plan,
  rows: Row[],
  issues: Issue[],
): Promise<Row[]> {
  if (plan.object.name === "Case") return numberCases(client, run.organizationId, rows);
  if (plan.object.name !== "Task") return rows;
  const mirrored = await findMirroredTasks(client, run.organizationId, rows);
  issues.push(...mirrored.values());
  return rows.filter((row) => !mirrored.has(row.ext_id));
}

function countIssues(issues: readonly Issue[]): Pick<Counts, "skipped" | "failed"> {
  const skipped = issues.filter((issue) => issue.outcome === "skipped").length;
  return { skipped, failed: issues.length - skipped };
}

async function advance(client: PoolClient, run: RunKey, plan: Plan, page: Page, counts: Counts): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET checkpoint = $4, created = created + $5, updated = updated + $6,
       unchanged = unchanged + $7, skipped = skipped + $8, failed = failed + $9
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [
      run.organizationId,
      run.migrationId,
      plan.object.name,
      page.last,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.skipped,
      counts.failed,
    ],
  );
}

/** Stores why records of a page were left out. */
export async function storeIssues(
  client: PoolClient,
  run: RunKey,
  object: MigratedObjectName,
  issues: readonly Issue[],
): Promise<void> {
  if (issues.length === 0) return;
  await client.query(
    `INSERT INTO migration_record_issues
       (organization_id, migration_id, object, created_at, id, ext_id, outcome, code, field, value, reason)
     SELECT $1::uuid, $2::uuid, $3, now(), i.id, i.ext_id, i.outcome, i.code, i.field, i.value, i.reason
     FROM json_to_recordset($4::json)
       AS i(id uuid, ext_id text, outcome migration_outcome, code text, field text, value text, reason text)`,
    [run.organizationId, run.migrationId, object, JSON.stringify(issues.map((issue) => ({ ...issue, id: newId() })))],
  );
}
