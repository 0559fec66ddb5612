import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields of which the name of a record is made. An entry of a thread is called by how it begins. */
export const NAME_FIELDS: Record<ResourceName, readonly string[]> = {
  accounts: ["name"],
  contacts: ["first_name", "last_name"],
  cases: ["subject"],
  case_comments: ["body"],
  activities: ["subject"],
  leads: ["first_name", "last_name"],
  opportunities: ["name"],
  products: ["name"],
};

/** SQL: the name of a record of a kind, from the SQL of each of its fields. */
export function nameExpression(resource: ResourceName, columnOf: (field: string) => string): string {
  const columns = NAME_FIELDS[resource].map(columnOf);
  return columns.length === 1 ? columns.join("") : `concat_ws(' ', ${columns.join(", ")})`;
}
