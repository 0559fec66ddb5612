import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The registry's declaration of a field; undefined if this kind of record does not have it. */
export function fieldOf(resource: ResourceName, name: string): Field | undefined {
  const fields: Record<string, Field> = ENTITIES[resource].fields;
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
