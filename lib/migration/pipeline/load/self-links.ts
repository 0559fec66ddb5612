import { type Link, selfLinksOf, type ShapePlan } from "@/lib/migration/pipeline/map/plan";

/** The links to records of the same object that are made when all of them are stored. */
export function healingLinksOf(plan: ShapePlan): Link[] {
  return selfLinksOf(plan).filter(({ choice }) => choice !== "keep_id");
}

/** SQL: links the records that lack a link. $1: the organization, $2: the source field. */
export function linkText({ shape: { resource } }: ShapePlan, link: Link): string {
  return `UPDATE ${resource} AS r SET ${link.column} = parent.id, custom_fields = r.custom_fields - $2::text
       FROM ${parentsIn(resource)} WHERE ${waitsFor(link)}`;
}

/** SQL: the records of a resource by their source ids, also by those that were merged into them. */
export function parentsIn(resource: string): string {
  return `(
         SELECT organization_id, ext_id, id, false AS is_merged FROM ${resource}
         UNION ALL SELECT organization_id, ext_id, record_id, true FROM ext_aliases WHERE entity = '${resource}'
       ) AS parent`;
}

/** SQL: whether `r` lacks the link to `parent`, which is here. $1: the organization, $2: the source field. */
export function waitsFor({ column }: Link): string {
  return `r.organization_id = $1 AND r.${column} IS NULL AND r.custom_fields ? $2::text AND r.ext_id IS NOT NULL
         AND NOT (parent.is_merged AND parent.id = r.id)
         AND parent.organization_id = $1 AND parent.ext_id = r.custom_fields ->> $2::text`;
}
