import { account } from "@/lib/records/entities/account";
import { activity } from "@/lib/records/entities/activity";
import { supportCase } from "@/lib/records/entities/case";
import { caseComment } from "@/lib/records/entities/case-comment";
import { contact } from "@/lib/records/entities/contact";
import { lead } from "@/lib/records/entities/lead";
import { opportunity } from "@/lib/records/entities/opportunity";
import { product } from "@/lib/records/entities/product";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Every entity by its resource name. Everything that the service does with records derives from this. */
export const ENTITIES = {
  accounts: account,
  contacts: contact,
  cases: supportCase,
  case_comments: caseComment,
  activities: activity,
  leads: lead,
  opportunities: opportunity,
  products: product,
} satisfies { [Resource in ResourceName]: Entity<Resource> };

/** What `declare` makes of each entity, by the name of its resource. */
export function perResource<Declared>(declare: (entity: Entity) => Declared): (resource: ResourceName) => Declared {
  const all = new Map(Object.values<Entity>(ENTITIES).map((entity) => [entity.resource, declare(entity)]));
  return (resource) => all.get(resource) as Declared;
}

/** Whether `name` is a resource. Names come from paths, so properties that every object inherits must not count. */
export function isResource(name: string): name is ResourceName {
  return Object.hasOwn(ENTITIES, name);
}

/** A field of one entity that refers to records of another. */
export interface Relation {
  from: Entity;
  field: string;
  /** The record that refers is part of the other and is deleted with it: a case comment with its case. */
  isPart: boolean;
}

/**
 * The references to records of `resource`. A part has a required reference; every other reference is cleared on
 * deletion.
 */
export function relationsTo(resource: ResourceName): Relation[] {
  return Object.values<Entity>(ENTITIES).flatMap((from) =>
    Object.entries<Field>(from.fields).flatMap(([field, { references, required }]) => {
      return references === resource ? [{ from, field, isPart: required }] : [];
    }),
  );
}
