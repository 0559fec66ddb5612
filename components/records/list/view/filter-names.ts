import { fieldLabel } from "@/components/ui/text/format";
import { isDay } from "@/lib/input/calendar-day";
import type { Field } from "@/lib/records/schema/field";
import { PERIODS } from "@/lib/records/schema/list-address";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields by which a list can be filtered, with the external id last. */
export function filterFields(resource: ResourceName): [name: string, field: Field][] {
  const fields = Object.entries<Field>(ENTITIES[resource].fields).filter(([, field]) => field.filterable);
  return fields.toSorted(([a], [b]) => Number(isOrigin(a)) - Number(isOrigin(b)));
}

/** What a filter is called: "Status", "Created from". */
export function filterLabel(name: string): string {
  return name === "migration_id" ? "Migrated by" : (PERIODS[name] ?? fieldLabel(name));
}

function isOrigin(name: string): boolean {
  return name === "ext_id";
}

/** Whether a filter is a period, and its value a day, not a moment. */
export function isDayOfPeriod(name: string, value: string): boolean {
  return Object.hasOwn(PERIODS, name) && isDay(value);
}
