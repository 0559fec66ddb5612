import { pool } from "@/lib/database/db";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import { storeOutsidePages } from "@/lib/migration/pipeline/store-outside-pages";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { isRunning, type LockProgress, OVERLAP_MS } from "@/lib/migration/pipeline/progress";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import { sinceAbout } from "@/lib/migration/pipeline/read/changed-here";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { changedConditionsOf } from "@/lib/migration/pipeline/read/window";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import { changedIds } from "@/lib/salesforce/changed-ids";

/**
 * Stores the records that came into the window of a run behind its checkpoint: those that were deleted before the run
 * and restored in Salesforce while it read, and those of a transaction there that had not ended when the run began.
 * Only what nothing here tells of was certainly not read; a record of an earlier run waits for the next one. True: some
 * were stored.
 */
export async function storeMissed(session: RunSession, plan: Plan, lock: LockProgress): Promise<boolean> {
  const { object } = plan;
  let stored = false;
  for await (const extIds of readMissed(session, plan)) {
    for await (const missed of readAgain({ ...session, plan }, extIds)) {
      await addRelated(session, object.name, missed);
      const outcomes = missed.map((record) => transform(plan, record, session.people, session.run.organizationId));
      if (!(await storeOutsidePages(session, plan, outcomes, { lock, isInWindow: true }))) return false;
      stored = true;
    }
  }
  return stored;
}

/** A run that is not reconciled by then says so, and the next one brings what is missing. */
const MAX_MS = 1_800_000;

/** The source ids of what was changed since the end of the window, or has become visible since, and was not read. */
async function* readMissed(session: RunSession, plan: Plan): AsyncGenerator<string[]> {
  const { client, window } = session;
  const { name: from, hasNoStampFilter, maxPageRecords } = plan.object;
  if (hasNoStampFilter) {
    const { ids } = await changedIds(client, from, "updated", sinceAbout(window.until), (extIds) =>
      findUnknown(session, plan, extIds),
    );
    yield ids;
    return;
  }
  const where = changedConditionsOf(from, window, new Date(window.until.getTime() - OVERLAP_MS));
  const size = { records: maxPageRecords ?? MAX_PAGE_RECORDS };
  const end = performance.now() + MAX_MS;
  for await (const page of readByKeyset(client, { from, fields: ["Id"], where, after: null, all: true, size })) {
    const extIds = page.map(({ Id }) => String(Id));
    yield await findUnknown(session, plan, extIds);
    if (performance.now() >= end || !(await isRunning(session.run))) return;
  }
}

/** The source ids without a record, an alias, an issue, or a record that was deleted here since the run began. */
async function findUnknown({ run }: RunSession, plan: Plan, extIds: readonly string[]): Promise<string[]> {
  const resources = resourcesOf(plan.object);
  const told = [
    ...resources.flatMap((resource) => [
      `${resource} r WHERE r.organization_id = $1 AND r.ext_id = ids.ext_id`,
      `deleted_records d WHERE d.organization_id = $1 AND d.resource = '${resource}' AND d.ext_id = ids.ext_id
         AND d.deleted_at >= (SELECT started_at FROM migrations WHERE organization_id = $1 AND id = $2)`,
    ]),
    "ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = ids.ext_id",
    `migration_record_issues i WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3
       AND i.ext_id = ids.ext_id`,
  ];
  const { rows } = await pool().query<{ ext_id: string }>(
    `SELECT ids.ext_id FROM unnest($4::text[]) AS ids (ext_id)
     WHERE ${told.map((table) => `NOT EXISTS (SELECT FROM ${table})`).join(" AND ")}`,
    [run.organizationId, run.migrationId, plan.object.name, extIds],
  );
  return rows.map(({ ext_id }) => ext_id);
}
