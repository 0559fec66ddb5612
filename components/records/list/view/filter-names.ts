import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Periods in which a record was created or changed. A day stands for its beginning in the pages' time zone. */
export const PERIODS: Readonly<Record<string, string>> = {
  "created_at[gte]": "Created from",
  "created_at[lt]": "Created before",
  "updated_at[gte]": "Updated from",
  "updated_at[lt]": "Updated before",
};

/** The fields by which a list can be filtered, with the external id last. */
export function filterFields(resource: ResourceName): [name: string, field: Field][] {
  const fields = Object.entries<Field>(ENTITIES[resource].fields).filter(([, field]) => field.filterable);
  return fields.toSorted(([a], [b]) => Number(isOrigin(a)) - Number(isOrigin(b)));
}

function isOrigin(name: string): boolean {
  return name === "ext_id";
}

/** The parameters by which the API filters a list. Links lead to the records of a migration. */
export function filterNames(resource: ResourceName): string[] {
  return [...ENTITIES[resource].filters, ...Object.keys(PERIODS)];
}

/** Whether the value of a filter is a day, and not a moment. */
export function isDay(name: string, value: string): boolean {
  return Object.hasOwn(PERIODS, name) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Whether the API searches these records for words. */
export function isSearchable(resource: ResourceName): boolean {
  return ENTITIES[resource].search.length > 0;
}
