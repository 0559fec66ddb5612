/** The eight kinds of record, by their name in paths, in tables and in `ext_aliases.entity`. */
export const RESOURCES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "activities",
  "leads",
  "opportunities",
  "products",
] as const;

export type ResourceName = (typeof RESOURCES)[number];

/**
 * SQL: whether the record is here that a row of the organization $1 names by its resource and its id. One of a resource
 * that only a later release knows counts as here.
 */
export function recordExists(resource: string, id: string): string {
  const each = RESOURCES.map(
    (name) => `WHEN '${name}' THEN EXISTS (SELECT FROM ${name} r WHERE r.organization_id = $1 AND r.id = ${id})`,
  );
  return `CASE ${resource} ${each.join(" ")} ELSE true END`;
}
