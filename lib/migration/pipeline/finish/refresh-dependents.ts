import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { MERGES_PER_PART } from "@/lib/migration/pipeline/deletions/follow-merges";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { inThisRun, type LockProgress } from "@/lib/migration/pipeline/progress";
import { listChangedPosts } from "@/lib/migration/pipeline/read/changed-here";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { storeDependents } from "@/lib/migration/pipeline/store-dependents";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import { isAfter } from "@/lib/salesforce/ids";
import { soqlDateTime, type SourceRecord } from "@/lib/salesforce/query";
import { isFieldHidden, isObjectHidden } from "@/lib/salesforce/refusals";

/** Another object of the source from which records take something; see `addRelated`. */
interface Dependency {
  from: string;
  where?: readonly string[];
  /** Its field with the id by which its dependents name it, in their field `key`. */
  field: string;
  key: string;
  /** How many of its records are followed at a time. */
  perPart?: number;
}

/**
 * Cases that were merged into others, where the org keeps them (Setup › Case Merge): what they had has moved. What a
 * merge deletes, `followMerges` follows.
 */
const mergedInto = (key: string): Dependency => ({
  from: "Case",
  where: ["IsDeleted = false", "MasterRecordId != null"],
  field: "MasterRecordId",
  key,
  perPart: MERGES_PER_PART,
});

const DEPENDENCIES: Partial<Record<SourceObjectName, readonly Dependency[]>> = {
  Case: [mergedInto("ParentId")],
  CaseComment: [mergedInto("ParentId")],
  // No date says that the visibility or the status of a post was changed.
  FeedItem: [{ from: "FeedItem", field: "Id", key: "Id" }, mergedInto("ParentId")],
  FeedComment: [{ from: "FeedItem", field: "Id", key: "FeedItemId" }, mergedInto("ParentId")],
  Event: [{ from: "EventRelation", field: "EventId", key: "Id" }, mergedInto("WhatId")],
  Task: [{ from: "TaskRelation", where: ["IsWhat = false"], field: "TaskId", key: "Id" }, mergedInto("WhatId")],
  EmailMessage: [
    mergedInto("ParentId"),
    { from: "Task", field: "Id", key: "ActivityId" },
    { from: "EmailMessageRelation", field: "EmailMessageId", key: "Id" },
  ],
  Opportunity: ["OpportunityLineItem", "OpportunityContactRole"].map((from) => ({
    from,
    field: "OpportunityId",
    key: "Id",
  })),
  Product2: [{ from: "PricebookEntry", where: ["Pricebook2.IsStandard = true"], field: "Product2Id", key: "Id" }],
};

interface Refresh {
  session: RunSession;
  plan: Plan;
  since: Date;
  /** Where the last call left off, as {@link storeCheckpoint} has stored it; null: the first call. */
  checkpoint: string | null;
  deadline: number;
  lock: LockProgress;
}

/**
 * Reads and stores once more the records that a delta has not read, because only what they take from other objects was
 * changed: a reply whose post is no longer public must not stay so. Repeated, it changes and counts nothing. False: the
 * deadline or the limit of API requests has come, or the run was stopped.
 */
export async function refreshDependents(refresh: Refresh): Promise<boolean> {
  const { session, plan, checkpoint } = refresh;
  const [run, begun, last] = checkpoint?.split("/") ?? [];
  const readable = (DEPENDENCIES[plan.object.name] ?? []).filter(({ key }) => plan.select.includes(key));
  const first = run === String(session.run.runNumber) ? readable.findIndex(({ from }) => from === begun) : -1;
  for (const [index, dependency] of readable.entries()) {
    if (index < first) continue;
    const after = index === first ? (last ?? null) : null;
    if (!(await refreshDependentsOf(refresh, dependency, after))) return false;
  }
  return true;
}

async function refreshDependentsOf(refresh: Refresh, dependency: Dependency, after: string | null): Promise<boolean> {
  const { session, plan, deadline } = refresh;
  const { from, field, key, perPart = IDS_PER_QUERY } = dependency;
  for await (const page of readChanged(refresh, dependency, after)) {
    for (const changed of batchesOf(page, perPart)) {
      const ids = changed.flatMap((record) => (typeof record[field] === "string" ? [record[field]] : []));
      if (!(await storeDependents(refresh, key, [...new Set(ids)]))) return false;
      await storeCheckpoint(session.run, plan.object.name, `${from}/${String(changed.at(-1)?.Id)}`);
      if (performance.now() >= deadline || isLimitReached(session.api)) return false;
    }
  }
  return true;
}

/** The changed records of a dependency after an id. */
async function* readChanged(refresh: Refresh, dependency: Dependency, after: string | null) {
  const { from } = dependency;
  if (from !== "FeedItem" && from !== "Case") return yield* query(refresh, dependency, after);
  const found = from === "Case" ? await mergedCasesOf(refresh, dependency) : await changedPosts(refresh);
  if (!found) return yield* query(refresh, dependency, after);
  yield found.filter(({ Id }) => after === null || isAfter(String(Id), after));
}

/** What takes from cases takes from the same merges: a process keeps them if they are one page; null: they are more. */
async function mergedCasesOf(refresh: Refresh, dependency: Dependency): Promise<readonly SourceRecord[] | null> {
  const { mergedCases } = refresh.session;
  const since = refresh.since.getTime();
  const known = mergedCases.get(since);
  if (known !== undefined) return known;
  const pages: SourceRecord[][] = [];
  for await (const page of query(refresh, dependency, null)) if (pages.push(page) > 1) break;
  const found = pages.length > 1 ? null : pages.flat();
  mergedCases.set(since, found);
  return found;
}

async function changedPosts({ session, since }: Refresh): Promise<SourceRecord[]> {
  return (await listChangedPosts(session, { since, until: session.window.until })).map((Id) => ({ Id }));
}

/**
 * Asks for the changed records of a dependency, and for those that are in the recycle bin: deleted Tasks, but no lines,
 * contact roles and prices (docs/decisions/0049-delta.md). None if the Salesforce user may not see it.
 */
async function* query(
  { session: { client, window }, since }: Refresh,
  { from, where = [], field }: Dependency,
  after: string | null,
): AsyncGenerator<SourceRecord[]> {
  const conditions = [
    ...where,
    `SystemModstamp >= ${soqlDateTime(since)}`,
    `SystemModstamp < ${soqlDateTime(window.until)}`,
  ];
  const read = { from, fields: [...new Set(["Id", field])], where: conditions, after, all: true };
  try {
    yield* readByKeyset(client, { ...read, size: { records: MAX_PAGE_RECORDS } });
  } catch (error) {
    if (!isObjectHidden(error) && !isFieldHidden(error)) throw error;
  }
}

/** Stores how far the delta has come, behind the number of its run: that of an earlier one says nothing. */
async function storeCheckpoint(run: RunKey, object: SourceObjectName, position: string): Promise<void> {
  await pool().query(
    `UPDATE migration_objects SET dependency_checkpoint = $4
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND status = 'running' AND ${inThisRun("$5")}`,
    [run.organizationId, run.migrationId, object, `${run.runNumber}/${position}`, run.runNumber],
  );
}
