import type { PoolClient } from "pg";

import type { Shape, SourceObject } from "@/lib/migration/objects/declaration";
import { isImportedResource } from "@/lib/migration/objects/imported-objects";
import { type LoadKey, sqlTypeOf } from "@/lib/migration/pipeline/load/emit-imported";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";

/**
 * Whether records wait for the other record of a link: with `leave_out` those that an earlier run has imported. Records
 * of the same resource are found when all of them are stored, except where their link is to stay empty from then on.
 */
export function canWait({ resource }: Pick<Shape, "resource">, { target, required, choice }: Link): boolean {
  if (required || !isImportedResource(target)) return false;
  return (choice === "keep_id") === (target === resource);
}

interface Target {
  client: PoolClient;
  plan: ShapePlan;
  organizationId: string;
  migrationId: string;
  object: Pick<SourceObject, "name">;
  by?: LoadKey;
}

/**
 * Stores which of the rows wait for which record. A link to the same resource that is to stay empty waits only in the
 * migration that creates its record, for records that come later in that run.
 */
export async function storeWaiting(
  { client, plan: { shape, links }, organizationId, migrationId, object, by = "ext_id" }: Target,
  rows: readonly Row[],
): Promise<void> {
  for (const { field, column, target, prefix, choice } of links.filter((link) => canWait(shape, link))) {
    const named = rows.flatMap((row) => {
      const extId = by === "id" ? row.custom_fields[field] : referencesOf(row, column, field);
      return typeof extId === "string" && extId.startsWith(prefix ?? "") ? [{ [by]: row[by], target: extId }] : [];
    });
    if (named.length === 0) continue;
    await client.query(
      `INSERT INTO waiting_links
         (organization_id, resource, record_id, object, source_field, column_name, target, target_ext_id)
       SELECT $1::uuid, '${shape.resource}', t.id, $2, $3, '${column}', '${target}', named.target
       FROM json_to_recordset($4::json) AS named(${by} ${sqlTypeOf(by)}, target text)
       JOIN ${shape.resource} t ON t.organization_id = $1::uuid AND t.${by} = named.${by}
       WHERE t.${column} IS NULL AND t.custom_fields ->> $3 = named.target
         ${choice === "keep_id" ? "AND t.version = 1 AND t.migration_id = $5::uuid" : ""}
       ON CONFLICT (organization_id, resource, record_id, source_field) DO UPDATE
         SET target = excluded.target, target_ext_id = excluded.target_ext_id, column_name = excluded.column_name`,
      [organizationId, object.name, field, JSON.stringify(named), ...(choice === "keep_id" ? [migrationId] : [])],
    );
  }
}

/** The source id that a source field gives a reference. */
function referencesOf(row: Row, column: string, field: string): unknown {
  if (row[`${column}_from`] === field) return row[column];
  const second = row.fallbacks?.[column];
  return second?.from === field ? second.extId : null;
}
