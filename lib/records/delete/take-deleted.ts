import type { PoolClient } from "pg";

import type { Cleared } from "@/lib/records/delete/delete-record";
import type { Values } from "@/lib/records/schema/write-input";

export interface DeletedRow {
  deletion_id: string;
  resource: string;
  id: string;
  is_part: boolean;
  record: Values;
  cleared: Cleared[];
  aliases: string[];
}

/** A case can have thousands of entries, and each of them a million characters: they are never in memory together. */
const MAX_PAGE = 40;
const MAX_PAGE_BYTES = 8_000_000;

const COLUMNS = "d.deletion_id, d.resource, d.id, d.is_part, d.record, d.cleared, d.aliases";

/** The next rows as far as they are small enough together, and at least one. */
const TAKE_PAGE = `
  DELETE FROM deleted_records AS d USING (
    SELECT deletion_id, resource, id,
      sum(octet_length(record::text)) OVER (ORDER BY deletion_id, resource, id) AS bytes,
      row_number() OVER (ORDER BY deletion_id, resource, id) AS place
    FROM (
      SELECT * FROM deleted_records
      WHERE organization_id = $1 AND deletion_id = ANY ($2::uuid[]) AND is_part = $3
      ORDER BY deletion_id, resource, id LIMIT ${MAX_PAGE}
    ) AS next
  ) AS page
  WHERE d.organization_id = $1 AND d.deletion_id = page.deletion_id AND d.resource = page.resource AND d.id = page.id
    AND (page.bytes <= ${MAX_PAGE_BYTES} OR page.place = 1)
  RETURNING ${COLUMNS}`;

/**
 * Takes the rows of deletions from the deleted records, a page at a time: the parts, or the records themselves. The
 * caller stores each page before it asks for the next.
 */
export async function* takeDeleted(
  client: PoolClient,
  organizationId: string,
  deletionIds: readonly string[],
  { areParts }: { areParts: boolean },
): AsyncGenerator<DeletedRow[]> {
  if (deletionIds.length === 0) return;
  for (;;) {
    const { rows } = await client.query<DeletedRow>(TAKE_PAGE, [organizationId, deletionIds, areParts]);
    if (rows.length === 0) return;
    yield rows;
  }
}
