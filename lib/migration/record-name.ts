import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** What people call a record of each kind. An entry of a thread is called by how it begins. */
const NAMES: Record<ResourceName, string> = {
  accounts: "name",
  contacts: "concat_ws(' ', first_name, last_name)",
  cases: "subject",
  case_comments: "left(body, 80)",
  activities: "subject",
  leads: "concat_ws(' ', first_name, last_name)",
  opportunities: "name",
  products: "name",
};

/** SQL: the name of the record to which `resource` and `record_id` of the row lead; null if it is not here. */
export function recordName(row: string): string {
  const cases = RESOURCES.map(
    (resource) =>
      `WHEN '${resource}' THEN (SELECT ${NAMES[resource]} FROM ${resource} AS named
        WHERE named.organization_id = $1 AND named.id = ${row}.record_id)`,
  );
  return `CASE ${row}.resource ${cases.join(" ")} END`;
}
