import type { PoolClient } from "pg";

import type { Shape, SourceObject } from "@/lib/migration/objects/declaration";
import { isImportedResource } from "@/lib/migration/objects/imported-objects";
import { type LoadKey, sqlTypeOf } from "@/lib/migration/pipeline/load/emit-imported";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";
import type { ResourceName } from "@/lib/records/schema/resources";
import { RAISE_VERSION } from "@/lib/records/write/store-records";

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

/** Links of one kind that wait for records of one resource. */
export interface WaitingKind {
  object: string;
  resource: ResourceName;
  source_field: string;
  column_name: string;
}

/** $1: the organization, $2: the object, $3: the source field. */
export const OF_KIND = "w.organization_id = $1::uuid AND w.object = $2 AND w.source_field = $3";

/** Records that wait in vain by now: what they wait for is here. `condition`, with $4, says which. */
export function findText({ resource }: WaitingKind, target: ResourceName, condition: string): string {
  return `SELECT r.ext_id, w.record_id FROM ${ended(resource, target)}
     JOIN ${resource} r ON r.organization_id = w.organization_id AND r.id = w.record_id
     WHERE ${OF_KIND} AND ${condition}`;
}

/** $4: the migration. What records of another one wait for may come yet: both may be running. */
export function forgetText({ resource }: WaitingKind): string {
  return `DELETE FROM waiting_links w WHERE ${OF_KIND} AND w.resource = '${resource}' AND NOT EXISTS (
    SELECT FROM ${resource} r
    WHERE r.organization_id = w.organization_id AND r.id = w.record_id AND r.migration_id <> $4::uuid)`;
}

/** Waiting links of records of `resource`, `w`, with the record of `target` that each waited for, `parent`. */
function ended(resource: ResourceName, target: ResourceName): string {
  return `(SELECT * FROM waiting_links WHERE resource = '${resource}' AND target = '${target}') AS w
    CROSS JOIN LATERAL (
      SELECT p.id FROM ${target} p WHERE p.organization_id = w.organization_id AND p.ext_id = w.target_ext_id
      UNION ALL
      SELECT a.record_id FROM ext_aliases a
      WHERE a.organization_id = w.organization_id AND a.ext_id = w.target_ext_id AND a.entity = '${target}'
        AND a.record_id <> w.record_id
      LIMIT 1
    ) AS parent`;
}

/** $1: the organization, $2: ids, $3: the migration; from `$next` on: the object and the source field. */
export function linkText({ resource, column_name: column }: WaitingKind, target: ResourceName, next: number): string {
  return `UPDATE ${resource} AS r SET ${column} = parent.id,
      custom_fields = r.custom_fields - w.source_field, ${RAISE_VERSION}
    FROM ${ended(resource, target)}
    WHERE r.organization_id = $1::uuid AND r.id = ANY ($2::uuid[])
      AND w.organization_id = $1::uuid AND w.object = $${next} AND w.source_field = $${next + 1} AND w.record_id = r.id
      AND r.${column} IS NULL AND r.custom_fields ->> w.source_field = w.target_ext_id`;
}
