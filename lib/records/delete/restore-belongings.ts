import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { restoreAliases, restoreParts } from "@/lib/records/delete/restore-record";
import { relink } from "@/lib/records/delete/restored-links";
import { type DeletedRow, takeDeleted } from "@/lib/records/delete/take-deleted";
import { isResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The deletions by migrations, however long ago, of records that are here again under the same ids. */
function findText(resource: ResourceName): string {
  return `SELECT own.deletion_id FROM deleted_records AS own, ${resource} AS t
    WHERE own.organization_id = $1 AND own.resource = '${resource}' AND own.ext_id = ANY ($2::text[])
      AND NOT own.is_part AND own.migration_id IS NOT NULL AND t.organization_id = $1 AND t.id = own.id`;
}

/**
 * Gives records that an import has created again what belonged to them when a migration deleted them: their parts,
 * their other external ids, and the references to them. What is here by now stays as it is.
 */
export async function restoreBelongings(
  client: PoolClient,
  context: Pick<Context, "organizationId">,
  resource: ResourceName,
  extIds: readonly string[],
): Promise<void> {
  const { organizationId } = context;
  const { rows: deletions } = await client.query<{ deletion_id: string }>(findText(resource), [organizationId, extIds]);
  const ids = deletions.map(({ deletion_id: id }) => id);
  for await (const parts of takeDeleted(client, organizationId, ids, { areParts: true }))
    await restoreParts(client, context, await withoutPresent(client, context, parts), false);
  for await (const rows of takeDeleted(client, organizationId, ids, { areParts: false }))
    for (const row of rows) {
      await restoreAliases(client, organizationId, row);
      await relink(client, context, row.id, row.cleared);
    }
}

/** The deleted rows that are not here again, and whose external ids no other records have. */
async function withoutPresent(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  deleted: readonly DeletedRow[],
): Promise<DeletedRow[]> {
  const absent: DeletedRow[] = [];
  for (const [resource, rows] of Map.groupBy(deleted, (row) => row.resource)) {
    if (!isResource(resource)) continue;
    const { rows: found } = await client.query<{ id: string }>(
      `SELECT d.id FROM jsonb_to_recordset($2::jsonb) AS d (id uuid, ext_id text) WHERE EXISTS (
         SELECT FROM ${resource} AS t WHERE t.organization_id = $1 AND (t.id = d.id OR t.ext_id = d.ext_id))`,
      [organizationId, JSON.stringify(rows.map(({ id, record }) => ({ id, ext_id: record.ext_id })))],
    );
    const present = new Set(found.map(({ id }) => id));
    absent.push(...rows.filter(({ id }) => !present.has(id)));
  }
  return absent;
}
