import { pool } from "@/lib/database/db";
import { linksEmail } from "@/lib/migration/objects/email-task";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { noteUnsearched } from "@/lib/migration/pipeline/files/file-progress";
import { numberThreads } from "@/lib/migration/pipeline/number-threads";
import { storeDependents } from "@/lib/migration/pipeline/store-dependents";
import { listSelectedObjects, type LockProgress } from "@/lib/migration/pipeline/progress";
import { EXISTING, IDS_PER_QUERY, pagesByIds, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { deletedConditionsOf } from "@/lib/migration/pipeline/read/window";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

const ENTRIES = { CaseComment: "ParentId", EmailMessage: "ParentId", FeedItem: "ParentId", FeedComment: "ParentId" };

/**
 * Of the objects whose records people merge in Salesforce: the objects that name them, and by which field. An activity
 * names the account of the record that it is about, too.
 */
const NAMED_BY: Partial<Record<SourceObjectName, Partial<Record<SourceObjectName, string>>>> = {
  Account: {
    Account: "ParentId",
    Contact: "AccountId",
    Opportunity: "AccountId",
    Case: "AccountId",
    EmailMessage: "RelatedToId",
    Task: "AccountId",
    Event: "AccountId",
  },
  Contact: {
    Contact: "ReportsToId",
    Opportunity: "ContactId",
    Case: "ContactId",
    EmailMessage: "FromId",
    Task: "WhoId",
    Event: "WhoId",
  },
  Lead: { EmailMessage: "FromId", Task: "WhoId", Event: "WhoId" },
  Case: { Case: "ParentId", ...ENTRIES, Task: "WhatId", Event: "WhatId" },
};

/** How many merges are followed at a time, so that a slice can end thereafter. A survivor may have many records. */
export const MERGES_PER_PART = 20;

/** Records that were deleted, one after the other, and those that some of them were merged into. */
export interface DeletedPart {
  ids: readonly string[];
  survivors: readonly string[];
}

/** The deleted records of a page in parts of at most {@link MERGES_PER_PART} merges. */
export async function divideByMerges(
  { client, window: { until } }: RunSession,
  object: SourceObjectName,
  since: Date,
  deleted: readonly string[],
): Promise<DeletedPart[]> {
  if (!NAMED_BY[object]) return [{ ids: deleted, survivors: [] }];
  const where = [...deletedConditionsOf(object, { since, until }), "MasterRecordId != null"];
  const read = { from: object, key: "Id", fields: ["MasterRecordId"], where, all: true };
  const merged = await readByIds(client, read, deleted);
  const survivorOf = new Map(merged.map(({ Id, MasterRecordId }) => [String(Id), String(MasterRecordId)]));
  let merges = 0;
  const parts = Map.groupBy(deleted, (id) => {
    if (survivorOf.has(id)) merges += 1;
    return Math.ceil(Math.max(merges, 1) / MERGES_PER_PART);
  });
  return [...parts.values()].map((ids) => ({
    ids,
    survivors: [...new Set(ids.flatMap((id) => survivorsOf(id, survivorOf)))],
  }));
}

/** The record that one was merged into, the one that this was merged into, and so on. */
function survivorsOf(id: string, survivorOf: ReadonlyMap<string, string>): string[] {
  const survivors = new Set<string>();
  for (let next = survivorOf.get(id); next !== undefined && !survivors.has(next); next = survivorOf.get(next))
    survivors.add(next);
  return [...survivors];
}

/**
 * Reads once more what names the records that deleted ones were merged into, and stores it, before the deleted ones are
 * deleted here with their links and entries: no documentation says that Salesforce stamps what a merge moves, so the
 * window of the delta may lack it. False: the run was stopped.
 */
export async function followMerges(
  session: RunSession,
  object: SourceObjectName,
  survivors: readonly string[],
  lock: LockProgress,
): Promise<boolean> {
  const namedBy = NAMED_BY[object];
  if (!namedBy || survivors.length === 0) return true;
  // Their files have moved, too.
  await noteUnsearched(pool(), session.run, survivors);
  const since = session.window.until;
  for (const name of await listSelectedObjects(session.run)) {
    const key = namedBy[name];
    if (key === undefined) continue;
    const plan = await planOf(session, name);
    const dependents = { session, plan, since, lock };
    if (plan.select.includes(key) && !(await storeDependents(dependents, key, survivors))) return false;
    if (name === "EmailMessage" && !(await storeEmailsOfTasks(dependents, namedBy.Task, survivors))) return false;
  }
  if (object === "Case") await numberThreads(session, lock);
  return true;
}

/**
 * E-mails are also linked to what their Tasks name, which a merge moves, too. The Tasks are read apart, page by page: a
 * survivor may have very many, and Salesforce allows no subquery on Tasks.
 */
async function storeEmailsOfTasks(
  dependents: Parameters<typeof storeDependents>[0],
  key: string | undefined,
  survivors: readonly string[],
): Promise<boolean> {
  const { session, plan } = dependents;
  if (key === undefined || !linksEmail(key) || !plan.select.includes("ActivityId")) return true;
  const read = { from: "Task", key, fields: [], ...EXISTING, pageRecords: IDS_PER_QUERY };
  for await (const tasks of pagesByIds(session.client, read, survivors)) {
    const ids = tasks.map(({ Id }) => String(Id));
    if (!(await storeDependents(dependents, "ActivityId", ids))) return false;
  }
  return true;
}
