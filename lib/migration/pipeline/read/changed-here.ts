import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { RunKey } from "@/lib/migration/migration-schema";
import { OVERLAP_MS } from "@/lib/migration/pipeline/progress";
import type { ResourceName } from "@/lib/records/schema/resources";
import { type Change, type ChangedIds, changedIds, type Period } from "@/lib/salesforce/changed-ids";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** Salesforce names a change once all that had begun before it has ended (`latestDateCovered`). */
const LAG_MS = 3_600_000;

/** The ids that one statement looks up. */
const IDS_PER_STATEMENT = 10_000;

interface Known {
  /** Whether records that were deleted here count as known. */
  withDeleted: boolean;
}

/**
 * The source ids of the records of an object that were changed, or deleted, in a period. Salesforce names those of the
 * whole org; this returns those that we know from a record, an alias or an issue, and, unless told otherwise, from a
 * record that was deleted here. For changes that no query finds.
 */
export function changedHere(
  { client, run }: { client: SalesforceClient; run: RunKey },
  object: SourceObjectName,
  change: Change,
  period: Period,
  known: Known = { withDeleted: true },
): Promise<ChangedIds> {
  return changedIds(client, object, change, period, (ids) => knownOf(run, object, ids, known));
}

/** A period with what Salesforce may not have named yet when the one before it was asked for. */
export function withLag({ since, until }: Period): Period {
  return { since: new Date(since.getTime() - LAG_MS), until };
}

const deletedHere = (resource: ResourceName) =>
  `deleted_records d WHERE d.organization_id = $1 AND d.resource = '${resource}' AND d.ext_id = ids.ext_id`;

async function knownOf(
  run: RunKey,
  object: SourceObjectName,
  ids: readonly string[],
  { withDeleted }: Known,
): Promise<string[]> {
  const resources = resourcesOf(SOURCE_OBJECTS[object]);
  const tables = [
    ...resources.map((resource) => `${resource} r WHERE r.organization_id = $1 AND r.ext_id = ids.ext_id`),
    ...(withDeleted ? resources.map(deletedHere) : []),
    "ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = ids.ext_id",
    `migration_record_issues i WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3
       AND i.ext_id = ids.ext_id`,
  ];
  const text = `SELECT ids.ext_id FROM unnest($4::text[]) AS ids (ext_id)
    WHERE ${tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(" OR ")}`;
  const known: string[] = [];
  for (const some of batchesOf(ids, IDS_PER_STATEMENT)) {
    const { rows } = await pool().query<{ ext_id: string }>(text, [run.organizationId, run.migrationId, object, some]);
    known.push(...rows.map(({ ext_id }) => ext_id));
  }
  return known;
}

/** What came since a moment, and somewhat before, because Salesforce takes the times of these lists to the minute. */
export function sinceAbout(moment: Date): Period {
  return { since: new Date(moment.getTime() - OVERLAP_MS), until: new Date() };
}

/** Where nothing here tells which posts have replies, more changed ones than that are not followed. */
const MAX_UNKNOWN_POSTS = 20_000;

/**
 * The ids of posts that were changed in a period: SOQL cannot find them by that time. Those of which something is here;
 * if no run has read posts, all of the org, up to 20,000, because their replies may be here.
 */
export async function listChangedPosts(
  session: { client: SalesforceClient; run: RunKey },
  period: Period,
): Promise<string[]> {
  const { client, run } = session;
  const { rowCount } = await pool().query(
    `SELECT FROM migration_objects
     WHERE organization_id = $1 AND migration_id = $2 AND object = 'FeedItem' AND started_at IS NOT NULL`,
    [run.organizationId, run.migrationId],
  );
  if (rowCount === 1) return (await changedHere(session, "FeedItem", "updated", withLag(period))).ids;
  const { ids } = await changedIds(client, "FeedItem", "updated", withLag(period));
  if (ids.length <= MAX_UNKNOWN_POSTS) return ids;
  log.warn({ migration_id: run.migrationId, posts: ids.length }, "changed posts are not followed");
  return [];
}
