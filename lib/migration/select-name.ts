import { nameExpression } from "@/lib/records/schema/record-name";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** SQL: the name of a record of a kind. Of a text it is the beginning. */
function nameOf(resource: ResourceName): string {
  const name = nameExpression(resource, (field) => field);
  return resource === "case_comments" ? `left(${name}, 80)` : name;
}

/** SQL: the name of the record to which `resource` and `record_id` of the row lead; null if it is not here. */
export function selectName(row: string): string {
  const cases = RESOURCES.map(
    (resource) =>
      `WHEN '${resource}' THEN (SELECT ${nameOf(resource)} FROM ${resource} AS named
        WHERE named.organization_id = $1 AND named.id = ${row}.record_id)`,
  );
  return `CASE ${row}.resource ${cases.join(" ")} END`;
}
