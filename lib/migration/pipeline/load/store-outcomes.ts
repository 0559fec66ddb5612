import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { removeRecords, type Removing } from "@/lib/migration/pipeline/load/before-images";
import { numberCases } from "@/lib/migration/pipeline/load/case-numbers";
import { skipDeleted } from "@/lib/migration/pipeline/load/deleted-here";
import { type Alias, findMirroredTasks, removeAliases, storeAliases } from "@/lib/migration/pipeline/load/email-tasks";
import { keepTakenCodes } from "@/lib/migration/pipeline/load/product-codes";
import { leaveOutMirrors, removeMirrors } from "@/lib/migration/pipeline/load/feed-mirrors";
import { lackingIssue, splitByParents } from "@/lib/migration/pipeline/load/leave-out";
import { type Loaded, loadRows, sumOf } from "@/lib/migration/pipeline/load/load-rows";
import { applyFallbacks } from "@/lib/migration/pipeline/load/references";
import { mergeDuplicates } from "@/lib/migration/pipeline/load/merge/merge-duplicates";
import type { LoadTarget } from "@/lib/migration/pipeline/load/merge/store-merges";
import type { Plan, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Issue, Outcome, Row } from "@/lib/migration/pipeline/map/transform";
import { numberThreadsWith } from "@/lib/migration/pipeline/number-threads";
import type { RunKey } from "@/lib/migration/migration-schema";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";
import { restoreBelongings } from "@/lib/records/delete/restore-belongings";

interface Batch {
  rows: Row[];
  aliases: Alias[];
  /** Tasks of its e-mails that are no copies of them. */
  openTasks: string[];
}

/** The number of records of a page by outcome. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

/**
 * Stores records with the reasons of those that are left out, and returns what became of them. Within the transaction
 * of the caller, who holds the lock of the object's progress.
 */
export async function storeOutcomes(
  target: LoadTarget,
  mapped: readonly Outcome[],
  clusters: PageClusters | null,
): Promise<Counts & { size: number }> {
  const { issues, ...loaded } = await loadOutcomes(target, mapped, clusters);
  await storeIssues(target.client, target.run, target.plan.object.name, issues);
  return loaded;
}

/** As {@link storeOutcomes}, but returns the reasons of records that are left out in place of storing them. */
export async function loadOutcomes(
  target: LoadTarget,
  mapped: readonly Outcome[],
  clusters: PageClusters | null,
): Promise<Counts & { size: number; issues: Issue[] }> {
  const { client, run, plan } = target;
  if (mapped.length === 0 && clusters === null) return { ...NONE, size: 0, issues: [] };
  await lockDeletionsExclusive(client, run.organizationId);
  const outcomes = await skipDeleted(client, run.organizationId, plan, mapped);
  const left = outcomes.flatMap((outcome) => ("issue" in outcome ? [outcome.issue] : []));
  const { rest, ...merged } = await mergeDuplicates(target, outcomes, clusters);
  let loaded: Loaded = { ...merged, issues: [...left, ...merged.issues] };
  for (const [shapePlan, batch] of byShape(rest)) {
    loaded = sumOf(loaded, await loadBatch({ ...target, shapePlan }, batch));
    await removeAliases(client, run.organizationId, batch.openTasks);
    await storeIssues(client, run, "Task", await storeAliases(client, shapePlan, removingIn(target), batch.aliases));
  }
  if (loaded.created > 0) await restoreUndeleted(target, outcomes);
  return { ...loaded, ...countIssues(loaded.issues) };
}

function removingIn({ run, choices }: LoadTarget): Removing {
  return { ...run, emits: choices.send_events };
}

/** What was deleted in the source and here, and is there again, gets back what belonged to it. */
async function restoreUndeleted({ client, run, plan }: LoadTarget, outcomes: readonly Outcome[]): Promise<void> {
  const extIds = outcomes.flatMap((outcome) => ("row" in outcome ? [outcome.row.ext_id] : []));
  for (const resource of resourcesOf(plan.object)) await restoreBelongings(client, run, resource, extIds);
}

interface ShapeTarget extends LoadTarget {
  shapePlan: ShapePlan;
}

/**
 * Loads the rows of one shape: at once, or, if some need others of the same rows, in rounds. Those that still lack a
 * record then become issues.
 */
async function loadBatch(shape: ShapeTarget, batch: Batch): Promise<Loaded> {
  const { client, run, plan } = shape;
  const { resource } = shape.shapePlan.shape;
  const { own, issues } = await withoutMirrored(client, removingIn(shape), plan, batch.rows);
  let loaded: Loaded = { created: 0, updated: 0, unchanged: 0, issues, size: 0 };
  for (let waiting = own; ;) {
    const { ready, lacking } = await splitByParents(client, run.organizationId, resource, waiting);
    if (ready.length > 0) loaded = sumOf(loaded, await loadReady(shape, ready));
    waiting = lacking.map(({ row }) => row);
    if (ready.length > 0 && lacking.some(({ need }) => need.target === resource)) continue;
    const lacks = lacking.map(({ row, need }) => lackingIssue(plan.object, row, need));
    return { ...loaded, issues: [...loaded.issues, ...lacks] };
  }
}

/** Whose records stand in the feed as posts until they are imported themselves. */
const SHOWN_IN_FEEDS: ReadonlySet<SourceObjectName> = new Set(["CaseComment", "EmailMessage", "Task", "Event"]);

async function loadReady({ client, run, plan, shapePlan, choices }: ShapeTarget, ready: Row[]): Promise<Loaded> {
  const { organizationId } = run;
  const rows = await withUniqueFields(client, shapePlan, organizationId, ready);
  await applyFallbacks(client, shapePlan, organizationId, rows);
  const { send_events: emits, repeat } = choices;
  const { createdIds, ...loaded } = await loadRows(
    { ...run, client, plan: shapePlan, object: plan.object, emits, repeat },
    rows,
  );
  const { resource } = shapePlan.shape;
  if (createdIds.length > 0) {
    const removing = { ...run, emits };
    await replaceOtherShape(client, plan, shapePlan, removing, createdIds);
    if (SHOWN_IN_FEEDS.has(plan.object.name)) {
      const created = { object: plan.object.name, resource, extIds: createdIds };
      await storeIssues(client, run, "FeedItem", await removeMirrors(client, removing, created));
    }
  }
  if (run.runNumber > 1 && resource === "case_comments" && loaded.created + loaded.updated > 0) {
    const extIds = rows.map((row) => row.ext_id);
    await numberThreadsWith(client, run, extIds, { numberedOnly: true });
  }
  return loaded;
}

/**
 * Deletes records that an earlier run made of the same source records in the other shape of the object: an e-mail that
 * now belongs to a case is in the thread of that case, and no longer an activity. `created`: the source ids of the
 * records that have just come in. One that was here in its new shape before has lost its old one then; if somebody has
 * restored that since, it stays. Both have the same id if imports made them: the new one gets the files of the old one.
 */
async function replaceOtherShape(
  client: PoolClient,
  plan: Plan,
  stored: ShapePlan,
  run: Removing,
  created: readonly string[],
): Promise<void> {
  const other = stored === plan.main ? plan.alternative : plan.main;
  if (!other) return;
  await removeRecords(client, run, other.shape.resource, created);
  const { resource } = stored.shape;
  await client.query(
    `UPDATE files f SET resource = $3 FROM ${resource} t
     WHERE t.organization_id = $1 AND t.ext_id = ANY ($2::text[])
       AND f.organization_id = $1 AND f.record_id = t.id AND f.resource <> $3`,
    [run.organizationId, created, resource],
  );
}

/** Gives cases their numbers, and leaves the codes of products to those that have them. */
function withUniqueFields(client: PoolClient, plan: ShapePlan, organizationId: string, rows: Row[]): Promise<Row[]> {
  if (plan.shape.resource === "cases") return numberCases(client, organizationId, rows);
  if (plan.shape.resource === "products") return keepTakenCodes(client, plan, organizationId, rows);
  return Promise.resolve(rows);
}

function byShape(outcomes: readonly Outcome[]): Map<ShapePlan, Batch> {
  const batches = new Map<ShapePlan, Batch>();
  for (const outcome of outcomes) {
    if ("issue" in outcome) continue;
    const batch = batches.get(outcome.plan) ?? { rows: [], aliases: [], openTasks: [] };
    batches.set(outcome.plan, batch);
    batch.rows.push(outcome.row);
    if (outcome.alias?.isCopy === true) batch.aliases.push({ ext_id: outcome.row.ext_id, alias: outcome.alias.extId });
    else if (outcome.alias) batch.openTasks.push(outcome.alias.extId);
  }
  return batches;
}

/** The rows that are no copies of e-mails and no posts that only show another record; why the others are skipped. */
async function withoutMirrored(
  client: PoolClient,
  run: Removing,
  plan: Plan,
  rows: Row[],
): Promise<{ own: Row[]; issues: Issue[] }> {
  if (plan.object.name === "FeedItem") return leaveOutMirrors(client, run, rows);
  if (plan.object.name !== "Task") return { own: rows, issues: [] };
  const mirrored = await findMirroredTasks(client, run.organizationId, rows);
  return { own: rows.filter((row) => !mirrored.has(row.ext_id)), issues: [...mirrored.values()] };
}

function countIssues(issues: readonly Issue[]): Pick<Counts, "skipped" | "failed"> {
  const skipped = issues.filter((issue) => issue.outcome === "skipped").length;
  return { skipped, failed: issues.length - skipped };
}

/** Stores why records of a page were left out. */
export async function storeIssues(
  client: PoolClient,
  run: RunKey,
  object: SourceObjectName,
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
