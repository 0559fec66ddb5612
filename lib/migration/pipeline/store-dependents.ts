import { partsOf } from "@/lib/migration/duplicates/run-clusters";
import { searchBeforeReading } from "@/lib/migration/duplicates/search-in-run";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { unchangedConditionsOf } from "@/lib/migration/pipeline/read/window";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { storeOutsidePages } from "@/lib/migration/pipeline/store-outside-pages";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import { soqlIn, type SourceRecord } from "@/lib/salesforce/query";

/** What a delta reads again of an object because of other records: what was not changed since itself. */
interface Dependents {
  session: RunSession;
  plan: Plan;
  since: Date;
  lock: LockProgress;
}

/**
 * Stores once more the records that name these ids in their field `key`, duplicates with their clusters. False: the run
 * was stopped.
 */
export async function storeDependents(
  { session, plan, since, lock }: Dependents,
  key: string,
  ids: readonly string[],
): Promise<boolean> {
  // The object was read in this run, so its search is done, but this process may not have read its clusters.
  if (!(await searchBeforeReading(session, plan.object.name, Infinity))) return false;
  for await (const records of readDependents({ session, plan, since }, key, ids))
    for await (const { records: part, clusters } of partsOf(session, plan, records)) {
      const outcomes = part.map((record) => transform(plan, record, session.people, session.run.organizationId));
      if (!(await storeOutsidePages(session, plan, outcomes, { lock, isInWindow: false, clusters }))) return false;
    }
  return true;
}

/** The records that name these ids and were not changed since. Those that were are read by this delta or the next. */
async function* readDependents(
  { session, plan: { object, select }, since }: Omit<Dependents, "lock">,
  key: string,
  ids: readonly string[],
): AsyncGenerator<SourceRecord[]> {
  if (ids.length === 0) return;
  yield* readByKeyset(session.client, {
    from: object.name,
    fields: select,
    where: [
      ...(object.where ?? []),
      "IsDeleted = false",
      ...unchangedConditionsOf(object.name, since),
      soqlIn(key, ids),
    ],
    after: null,
    all: true,
    size: { records: object.maxPageRecords ?? MAX_PAGE_RECORDS },
    complete: (records, signal) => addRelated(session, object.name, records, signal),
  });
}
