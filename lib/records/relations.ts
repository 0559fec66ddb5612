import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";

/** A field of one entity that points at records of another. */
export interface Relation {
  from: Entity;
  field: string;
  /** The pointing record is nothing without the other, and is deleted with it: a case comment without its case. */
  isPart: boolean;
}

/** What points at records of `resource`. A part of it has a required reference to it; every other reference is cleared when it is deleted. */
export function relationsTo(resource: ResourceName): Relation[] {
  return Object.values<Entity>(ENTITIES).flatMap((from) =>
    Object.entries<Field>(from.fields).flatMap(([field, { references, required }]) => {
      return references === resource ? [{ from, field, isPart: required }] : [];
    }),
  );
}
