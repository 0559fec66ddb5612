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

/** The whole name of a record, from its fields. */
export function wholeName(resource: ResourceName, item: Readonly<Record<string, unknown>>): string {
  return NAME_FIELDS[resource]
    .map((field) => item[field])
    .filter(Boolean)
    .join(" ");
}

/** The name of a record where another refers to it. Of a case the number is in front: many have the same subject. */
export function withCaseNumber(name: string, { case_number: number }: Readonly<Record<string, unknown>>): string {
  return typeof number === "string" ? `${number} ${name}` : name;
}

/** SQL: the name of a record of a kind, from the SQL of each of its fields. */
export function nameExpression(resource: ResourceName, columnOf: (field: string) => string): string {
  const columns = NAME_FIELDS[resource].map(columnOf);
  return columns.length === 1 ? columns.join("") : `concat_ws(' ', ${columns.join(", ")})`;
}
