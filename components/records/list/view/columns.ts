import { isColumn } from "@/lib/records/schema/list-address";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The columns beside each record's name, until the reader chooses others. */
export const DEFAULT_COLUMNS: Record<ResourceName, readonly string[]> = {
  accounts: ["industry", "phone", "billing_city", "created_at"],
  contacts: ["title", "email", "phone", "created_at"],
  cases: ["case_number", "status", "priority", "created_at"],
  case_comments: ["kind", "author_name", "is_public", "created_at"],
  activities: ["type", "status", "due_date", "created_at"],
  leads: ["company", "status", "email", "created_at"],
  opportunities: ["stage", "amount", "close_date", "created_at"],
  products: ["sku", "family", "unit_price", "is_active"],
};

/** The fields for those who compare with other systems. */
const TECHNICAL = new Set(["id", "ext_id", "version"]);

/** Every field that can be a column, in the entity's order, the technical ones last. */
export function columnNames(resource: ResourceName): string[] {
  const names = Object.keys(ENTITIES[resource].fields).filter((name) => isColumn(resource, name));
  return names.toSorted((a, b) => Number(TECHNICAL.has(a)) - Number(TECHNICAL.has(b)));
}
