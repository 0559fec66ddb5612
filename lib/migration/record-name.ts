import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** SQL: the name of a record of a kind. Of a text it is the beginning. */
function nameOf(resource: ResourceName): string {
  const [first = "id", ...others] = NAME_FIELDS[resource];
  if (resource === "case_comments") return `left(${first}, 80)`;
  return others.length === 0 ? first : `concat_ws(' ', ${[first, ...others].join(", ")})`;
}

/** SQL: the name of the record to which `resource` and `record_id` of the row lead; null if it is not here. */
export function recordName(row: string): string {
  const cases = RESOURCES.map(
    (resource) =>
      `WHEN '${resource}' THEN (SELECT ${nameOf(resource)} FROM ${resource} AS named
        WHERE named.organization_id = $1 AND named.id = ${row}.record_id)`,
  );
  return `CASE ${row}.resource ${cases.join(" ")} END`;
}
