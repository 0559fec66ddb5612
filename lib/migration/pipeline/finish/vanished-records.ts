import { pool } from "@/lib/database/db";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { RunKey } from "@/lib/migration/migration-schema";
import { OVERLAP_MS } from "@/lib/migration/pipeline/progress";
import { changedHere, sinceAbout } from "@/lib/migration/pipeline/read/changed-here";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { compareIds } from "@/lib/migration/proof/compare-ids";
import type { SourceIds } from "@/lib/migration/proof/records-not-in-source";
import { count, select, soqlDateTime } from "@/lib/salesforce/query";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

interface Sums {
  accounted: number;
  /** The records counted in the source before the run read any. */
  expected: number;
  /** Those that it has now. */
  source: number;
}

/**
 * Whether a run accounts for more records than the source has because some have vanished there since they were read:
 * purged, deleted without the recycle bin, or hidden from the Salesforce user. They have if three things hold: the run
 * accounts for no more records than the source had at its start, and than became visible thereafter; every record of
 * the source is here or listed; and at least as many records as are too many are no longer in the source. A record that
 * was counted twice fails the third, at least where the object was read for the first time.
 */
export async function areVanished(session: RunSession, plan: Plan, sums: Sums): Promise<boolean> {
  const { accounted, expected } = sums;
  if (accounted > expected && accounted > expected + (await countLate(session, plan))) return false;
  const { run, client, window } = session;
  const { name, isHardDeleted } = plan.object;
  // One request in place of all ids, where what is deleted vanishes at once.
  const deleted = isHardDeleted ? await changedHere(session, name, "deleted", sinceAbout(window.until)) : null;
  if (deleted?.refusal === null && deleted.ids.length > 0 && deleted.ids.length === accounted - sums.source)
    return true;
  const { missing, source, ids } = await compareIds({ key: run, client, plan, window });
  const vanished = accounted - source;
  return missing === 0 && vanished >= 0 && (await hasOthers(run, plan, ids, vanished));
}

/** How many records of the window may have been created by transactions that had not ended when the run counted. */
async function countLate({ client, window }: RunSession, { object: { name } }: Plan): Promise<number> {
  const since = soqlDateTime(new Date(window.until.getTime() - OVERLAP_MS));
  const where = [...conditionsOf(name, window), `CreatedDate >= ${since}`];
  const counting = count(client, select({ fields: ["COUNT()"], from: name, where }), { all: true });
  return (await counting.catch(nullWhenUnanswered)) ?? 0;
}

const PAGE_RECORDS = 10_000;

/** Whether so many records of an object are here, merged or listed that the source does not have. */
async function hasOthers(
  { organizationId, migrationId }: RunKey,
  plan: Plan,
  source: SourceIds,
  records: number,
): Promise<boolean> {
  const object = plan.object.name;
  const text = knownText(plan);
  let others = 0;
  for (let after = KEY_PREFIXES[object]; others < records;) {
    const values = [organizationId, migrationId, object, KEY_PREFIXES[object], after];
    const { rows } = await pool().query<{ ext_id: string }>(text, values);
    for (const { ext_id: extId } of rows) if (!source.has(extId)) others += 1;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_RECORDS) break;
    after = last.ext_id;
  }
  return others >= records;
}

/**
 * A page of the source ids of an object that anything here tells of. $1: the organization, $2: the migration, $3: the
 * object, $4: its prefix, $5: the last id of the page before.
 */
function knownText({ object }: Plan): string {
  const resources = resourcesOf(object);
  const tables = [
    ...[...resources, "ext_aliases"].map((table) => `${table} WHERE organization_id = $1`),
    "migration_record_issues WHERE organization_id = $1 AND migration_id = $2 AND object = $3",
  ];
  const pages = tables.map(
    (table) =>
      `(SELECT ext_id FROM ${table} AND starts_with(ext_id, $4) AND ext_id > $5 ORDER BY ext_id LIMIT ${PAGE_RECORDS})`,
  );
  return `SELECT ext_id FROM (${pages.join(" UNION ")}) AS known ORDER BY ext_id LIMIT ${PAGE_RECORDS}`;
}
