import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { numberThreads } from "@/lib/migration/pipeline/finish/number-threads";
import { storeDependents } from "@/lib/migration/pipeline/store-dependents";
import { listSelectedObjects, type Lock } from "@/lib/migration/pipeline/progress";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { deletedConditionsOf } from "@/lib/migration/pipeline/read/window";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

const ENTRIES = { CaseComment: "ParentId", EmailMessage: "ParentId", FeedItem: "ParentId", FeedComment: "ParentId" };

/**
 * Of the objects whose records people merge in Salesforce: the objects that name them, and by which field. An activity
 * names the account of the record that it is about, too.
 */
const NAMED_BY: Partial<Record<MigratedObjectName, Partial<Record<MigratedObjectName, string>>>> = {
  Account: {
    Account: "ParentId",
    Contact: "AccountId",
    Opportunity: "AccountId",
    Case: "AccountId",
    EmailMessage: "RelatedToId",
    Task: "AccountId",
    Event: "AccountId",
  },
  Contact: { Contact: "ReportsToId", Case: "ContactId", Task: "WhoId", Event: "WhoId" },
  Lead: { Task: "WhoId", Event: "WhoId" },
  Case: { Case: "ParentId", ...ENTRIES, Task: "WhatId", Event: "WhatId" },
};

/**
 * Reads once more what names the records that deleted ones were merged into, and stores it, before the deleted ones are
 * deleted here with their links and entries: no documentation says that Salesforce stamps what a merge moves, so the
 * window of the delta may lack it. False: the run was stopped.
 */
export async function followMerges(
  session: RunSession,
  { object, since }: { object: MigratedObjectName; since: Date | null },
  deleted: readonly string[],
  lock: Lock,
): Promise<boolean> {
  const namedBy = NAMED_BY[object];
  if (!namedBy || !since) return true;
  const { until } = session.window;
  const where = [...deletedConditionsOf(object, { since, until }), "MasterRecordId != null"];
  const read = { from: object, key: "Id", fields: ["MasterRecordId"], where, all: true };
  const merged = await readByIds(session.client, read, deleted);
  const kept = [...new Set(merged.map(({ MasterRecordId }) => String(MasterRecordId)))];
  if (kept.length === 0) return true;
  for (const name of await listSelectedObjects(session.run)) {
    const key = namedBy[name];
    if (key === undefined) continue;
    const plan = await planOf(session, name);
    if (!plan.select.includes(key)) continue;
    if (!(await storeDependents({ session, plan, since: until, lock }, key, kept))) return false;
  }
  if (object === "Case") await numberThreads(session, lock);
  return true;
}
