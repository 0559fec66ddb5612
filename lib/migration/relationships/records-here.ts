import { formatCount } from "@/lib/amounts";
import { pool } from "@/lib/database/db";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { findUnmerged } from "@/lib/migration/pipeline/load/find-here";
import { RESTORABLE_DAYS, RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import type { ResourceName } from "@/lib/records/schema/resources";
import { SALESFORCE_ID } from "@/lib/salesforce/ids";

/** The ids are kept until the links are counted, and each few hundred of them are one more question to the source. */
const MAX_DELETED = 20_000;

/** Its message is a sentence for whoever asked for the numbers. */
export class TooManyDeleted extends Error {
  constructor(resource: ResourceName) {
    const deleted = formatCount(MAX_DELETED, resource, resource.replaceAll("_", " "));
    super(
      `More than ${deleted} were deleted here in the last ${RESTORABLE_DAYS} days: links of them and to them are not ` +
        "counted.",
    );
  }
}

/** The Salesforce ids of records that were deleted here, which an import skips. Throws {@link TooManyDeleted}. */
export async function findDeletedHere(organizationId: string, resource: ResourceName): Promise<string[]> {
  // Records that were not imported can have any external id.
  const { rows } = await pool().query<{ ext_id: string }>(
    `SELECT d.ext_id FROM deleted_records d
     WHERE d.organization_id = $1 AND d.resource = $2 AND d.ext_id ~ $3
       AND d.deleted_at > now() - ${RESTORABLE_INTERVAL}
       AND NOT EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.ext_id = d.ext_id)
     LIMIT ${MAX_DELETED + 1}`,
    [organizationId, resource, SALESFORCE_ID.source],
  );
  if (rows.length > MAX_DELETED) throw new TooManyDeleted(resource);
  return [...new Set(rows.map(({ ext_id }) => ext_id))];
}

/** Whether earlier runs have imported records of an object: those are not left out for a link that they lack. */
export async function hasImported(organizationId: string, object: SourceObjectName): Promise<boolean> {
  const found = await Promise.all(
    resourcesOf(SOURCE_OBJECTS[object]).map((resource) =>
      pool().query(`SELECT FROM ${resource} WHERE organization_id = $1 AND ext_id IS NOT NULL LIMIT 1`, [
        organizationId,
      ]),
    ),
  );
  return found.some(({ rowCount }) => rowCount === 1);
}

/** Those of an object's source ids that no record here has itself. */
export async function notImported(
  organizationId: string,
  object: SourceObjectName,
  extIds: readonly string[],
): Promise<string[]> {
  let left = [...extIds];
  for (const resource of resourcesOf(SOURCE_OBJECTS[object])) {
    const imported = await findUnmerged(pool(), organizationId, resource, left);
    left = left.filter((id) => !imported.has(id));
  }
  return left;
}
