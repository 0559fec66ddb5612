import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A filter for what belongs to one record. */
export interface ListFilter {
  field: string;
  id: string;
  target: ResourceName;
}

/** Reads the filter from a page's search parameters; the first one counts. Null when there is none. */
export function readFilter(
  resource: ResourceName,
  searchParams: Record<string, string | string[] | undefined>,
): ListFilter | null {
  for (const [name, field] of Object.entries<Field>(ENTITIES[resource].fields)) {
    const id = searchParams[name];
    if (field.filterable && field.references && field.references !== "users" && typeof id === "string") {
      return { field: name, id, target: field.references };
    }
  }
  return null;
}
