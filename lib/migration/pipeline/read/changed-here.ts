import { pool } from "@/lib/database/db";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import { type Change, changedIds, type Period } from "@/lib/salesforce/changed-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** Salesforce names a change once all that had begun before it has ended (`latestDateCovered`). */
const LAG_MS = 3_600_000;

/** The ids that one statement looks up. */
const IDS_PER_STATEMENT = 10_000;

/**
 * The source ids of the records of an object that were changed, or deleted, in a period or somewhat before it, as far
 * as anything here tells of them: Salesforce names those of the whole org. For objects whose changes no query finds.
 */
export function changedHere(
  { client, run }: { client: SalesforceClient; run: RunKey },
  object: MigratedObjectName,
  change: Change,
  { since, until }: Period,
): Promise<string[]> {
  const period = { since: new Date(since.getTime() - LAG_MS), until };
  return changedIds(client, object, change, period, (ids) => knownOf(run, object, ids));
}

async function knownOf(run: RunKey, object: MigratedObjectName, ids: readonly string[]): Promise<string[]> {
  const tables = [
    `${SOURCE_OBJECTS[object].resource} r WHERE r.organization_id = $1 AND r.ext_id = ids.ext_id`,
    "ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = ids.ext_id",
    `migration_record_issues i WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3
       AND i.ext_id = ids.ext_id`,
  ];
  const text = `SELECT ids.ext_id FROM unnest($4::text[]) AS ids (ext_id)
    WHERE ${tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(" OR ")}`;
  const known: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT) {
    const some = ids.slice(start, start + IDS_PER_STATEMENT);
    const { rows } = await pool().query<{ ext_id: string }>(text, [run.organizationId, run.migrationId, object, some]);
    known.push(...rows.map(({ ext_id }) => ext_id));
  }
  return known;
}

const MINUTES_MS = 600_000;

/** What came since a moment, and somewhat before, because Salesforce takes the times of these lists to the minute. */
export function sinceAbout(moment: Date): Period {
  return { since: new Date(moment.getTime() - MINUTES_MS), until: new Date() };
}
