import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { pool } from "@/tests/support/owner";

const RESOURCES: ResourceName[] = ["accounts", "contacts", "cases", "case_comments", "activities"];

/**
 * What belongs to an organization, and not to what was imported into it. Owners are members, who are not compared, and
 * digests depend on them. A link to a record of a later page is a version of its own, and where pages end depends on
 * when a worker was killed.
 */
const OWN = [
  "id",
  "organization_id",
  "migration_id",
  "owner_id",
  "author_id",
  "source_digest",
  "version",
  "imported_version",
];

/** SQL: the records of the organization `parameter` by source id, with references as source ids, without `others`. */
function recordsText(resource: ResourceName, parameter: string, others: readonly string[]): string {
  const references = Object.entries(ENTITIES[resource].fields).flatMap(([name, { references: target }]) =>
    target !== undefined && target !== "users" ? [{ name, target }] : [],
  );
  const joins = references.map(
    ({ name, target }) =>
      `LEFT JOIN ${target} AS of_${name}
        ON of_${name}.organization_id = r.organization_id AND of_${name}.id = r.${name}`,
  );
  const names = references.flatMap(({ name }) => [`'${name}'`, `of_${name}.ext_id`]).join(", ");
  const left = [...OWN, ...others].join(",");
  return `SELECT r.ext_id, (to_jsonb(r) - '{${left}}'::text[] || jsonb_build_object(
      'is_edited', r.version IS DISTINCT FROM r.imported_version, ${names}))::text AS content
    FROM ${resource} AS r ${joins.join(" ")} WHERE r.organization_id = ${parameter}`;
}

/**
 * The number of records that two organizations have both, and the source ids of those that differ, at most ten.
 * `ignored` columns are not compared.
 */
export async function compareContent(
  one: string,
  other: string,
  ignored: readonly string[] = [],
): Promise<{ same: number; different: string[] }> {
  let same = 0;
  const different: string[] = [];
  for (const resource of RESOURCES) {
    const { rows } = await pool().query<{ same: number; different: string[] | null }>(
      `SELECT count(*) FILTER (WHERE a.content = b.content)::int AS same,
         (array_agg(coalesce(a.ext_id, b.ext_id)) FILTER (WHERE a.content IS DISTINCT FROM b.content))[:10] AS different
       FROM (${recordsText(resource, "$1", ignored)}) AS a
         FULL JOIN (${recordsText(resource, "$2", ignored)}) AS b USING (ext_id)`,
      [one, other],
    );
    same += rows[0]?.same ?? 0;
    different.push(...(rows[0]?.different ?? []).map((extId) => `${resource}/${extId}`));
  }
  return { same, different };
}
