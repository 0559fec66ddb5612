import type { PoolClient } from "pg";

import type { Shape, SourceObject, SourceReference } from "@/lib/migration/objects/declaration";
import { IMPORTED_RESOURCES } from "@/lib/migration/objects/relationships";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";

/**
 * Whether records wait for the other record of a link. Records of the same resource are found when all of them are
 * stored, except where their link is to stay empty from then on.
 */
export function canWait({ resource }: Pick<Shape, "resource">, { target, required, choice }: Link): boolean {
  if (required || !IMPORTED_RESOURCES.has(target)) return false;
  return target === resource ? choice === "keep_id" : choice === "heal";
}

interface Target {
  client: PoolClient;
  plan: ShapePlan;
  organizationId: string;
  object: Pick<SourceObject, "name">;
}

/**
 * Stores which of the rows wait for which record. A link to the same resource that is to stay empty waits only in the
 * run that creates its record, for records that come later in that run.
 */
export async function storeWaiting(
  { client, plan: { shape, links }, organizationId, object }: Target,
  rows: readonly Row[],
): Promise<void> {
  for (const { field, column, target, prefix, choice } of links.filter((link) => canWait(shape, link))) {
    const named = rows.flatMap((row) => {
      const found = referencesOf(row, column).find(({ from }) => from === field);
      return found?.extId.startsWith(prefix ?? "") ? [{ ext_id: row.ext_id, target_ext_id: found.extId }] : [];
    });
    if (named.length === 0) continue;
    await client.query(
      `INSERT INTO waiting_links
         (organization_id, resource, record_id, object, source_field, column_name, target, target_ext_id)
       SELECT $1::uuid, '${shape.resource}', t.id, $2, $3, '${column}', '${target}', named.target_ext_id
       FROM json_to_recordset($4::json) AS named(ext_id text, target_ext_id text)
       JOIN ${shape.resource} t ON t.organization_id = $1::uuid AND t.ext_id = named.ext_id
       WHERE t.${column} IS NULL AND t.custom_fields ->> $3 = named.target_ext_id
         ${choice === "keep_id" ? "AND t.version = 1" : ""}
       ON CONFLICT (organization_id, resource, record_id, source_field) DO UPDATE
         SET target = excluded.target, target_ext_id = excluded.target_ext_id, column_name = excluded.column_name`,
      [organizationId, object.name, field, JSON.stringify(named)],
    );
  }
}

function referencesOf(row: Row, column: string): SourceReference[] {
  const second = row.fallbacks?.[column];
  const extId = row[column];
  const first = typeof extId === "string" ? [{ extId, from: String(row[`${column}_from`]) }] : [];
  return second ? [...first, second] : first;
}
