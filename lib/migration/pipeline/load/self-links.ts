import type { RunKey } from "@/lib/migration/migration-schema";
import { type Link, selfLinksOf, type ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { RAISE_UNEDITED } from "@/lib/records/write/store-records";

/** The links to records of the same object that are made when all of them are stored. */
export function healingLinksOf(plan: ShapePlan): Link[] {
  return selfLinksOf(plan).filter(({ choice }) => choice !== "keep_id");
}

/**
 * SQL: links the records that lack a link. $1: the organization, $2: the source field, $3: the migration. Those that
 * its first run has imported keep the time of their last change in the source.
 */
export function linkText({ shape: { resource } }: ShapePlan, link: Link, { runNumber }: RunKey): string {
  const isNew = runNumber === 1 ? "r.migration_id = $3::uuid" : "false";
  return `UPDATE ${resource} AS r SET ${link.column} = parent.id, custom_fields = r.custom_fields - $2::text,
         ${RAISE_UNEDITED}, updated_at = CASE WHEN ${isNew} THEN r.updated_at ELSE now() END
       FROM ${parentsIn(resource)} WHERE ${lacks(link)} AND ${IS_PARENT}`;
}

/**
 * SQL: records that lack a link to a record which is here, oldest first. $1: the organization, $2: the source field,
 * $3: the record that they come after. Read in the order of the primary key, with a look-up of each one's parent, until
 * there are enough, and therefore with `enable_sort` off: PostgreSQL, which cannot know how many lack one, might join
 * and sort all records for every batch.
 */
export function findText({ shape: { resource } }: ShapePlan, link: Link, limit: number): string {
  return `SELECT r.id, r.ext_id FROM ${resource} AS r
       CROSS JOIN LATERAL (SELECT FROM ${parentsIn(resource)} WHERE ${IS_PARENT} LIMIT 1) AS found
       WHERE ${lacks(link)} AND r.id > $3 ORDER BY r.id LIMIT ${limit}`;
}

/** SQL: the records of a resource by their source ids, also by those that were merged into them. */
function parentsIn(resource: string): string {
  return `(
         SELECT organization_id, ext_id, id, false AS is_merged FROM ${resource}
         UNION ALL SELECT organization_id, ext_id, record_id, true FROM ext_aliases WHERE entity = '${resource}'
       ) AS parent`;
}

/** SQL: whether `r` lacks a link. $1: the organization, $2: the source field. */
function lacks({ column }: Link): string {
  return `r.organization_id = $1 AND r.${column} IS NULL AND r.custom_fields ? $2::text AND r.ext_id IS NOT NULL`;
}

/** SQL: whether `parent` is the record that `r` lacks the link to, and not `r` itself. */
const IS_PARENT = `parent.organization_id = $1 AND parent.ext_id = r.custom_fields ->> $2::text
         AND NOT (parent.is_merged AND parent.id = r.id)`;
