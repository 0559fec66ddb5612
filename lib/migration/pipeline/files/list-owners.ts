import { pool } from "@/lib/database/db";
import type { RunKey } from "@/lib/migration/migration-schema";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { Position } from "@/lib/migration/pipeline/files/file-progress";
import type { SearchScope } from "@/lib/migration/pipeline/files/search-scope";

/** Records whose files are looked up together. */
export const OWNERS_PER_BATCH = 200;

/** A record of a migration, and the files that its entry in a thread names. */
export interface FileOwner {
  id: string;
  /** Its own source id, and those of what it has become the record of: merged duplicates, the Task of an e-mail. */
  ext_ids: string[];
  /** Source ids of files that Salesforce does not link to the record: those of posts. */
  named: string[];
}

/** The owners of a batch, and the last record that was looked at for it; null: there are no more. */
interface OwnersOfBatch {
  owners: FileOwner[];
  last: string | null;
}

/**
 * The next records, of all or of those in `among`, with a Salesforce id of their own or of what was merged into them. A
 * post that only shows a record is no part of it: the files that posts name are those of their own entries.
 */
export async function listOwners(
  { organizationId }: RunKey,
  { resource, after }: Position,
  among: SearchScope,
): Promise<OwnersOfBatch> {
  const left = among && (among.get(resource) ?? []).filter((id) => after === null || id > after);
  const ids = left && left.slice(0, OWNERS_PER_BATCH);
  if (ids?.length === 0) return { owners: [], last: null };
  const { rows: owners } = await pool().query<FileOwner>(
    `SELECT r.id, array_remove(r.ext_id || aliases.ext_ids, NULL) AS ext_ids, ARRAY(
       SELECT file ->> 'ext_id' FROM jsonb_array_elements(
         CASE WHEN r.ext_id ~ '^0D[57]' AND jsonb_typeof(r.custom_fields -> 'Attachments') = 'array'
           THEN r.custom_fields -> 'Attachments' ELSE '[]' END) AS file
       WHERE file ->> 'ext_id' ~ '^068[0-9A-Za-z]{15}$') AS named
     FROM ${resource} AS r CROSS JOIN LATERAL (
       SELECT array_agg(a.ext_id ORDER BY a.ext_id) AS ext_ids FROM ext_aliases AS a
       WHERE a.organization_id = $1 AND a.record_id = r.id AND a.entity = '${resource}'
         AND NOT starts_with(a.ext_id, '${KEY_PREFIXES.FeedItem}')
     ) AS aliases
     WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.id > $2)
       AND ($3::uuid[] IS NULL OR r.id = ANY ($3))
       AND (r.ext_id ~ '^[0-9A-Za-z]{18}$' OR aliases.ext_ids IS NOT NULL)
     ORDER BY r.id LIMIT ${OWNERS_PER_BATCH}`,
    [organizationId, after, ids],
  );
  const looked = ids ?? owners.map(({ id }) => id);
  return { owners, last: looked.length < OWNERS_PER_BATCH ? null : (looked.at(-1) ?? null) };
}
