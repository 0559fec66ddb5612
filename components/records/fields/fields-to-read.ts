import type { Field } from "@/lib/records/schema/field";
import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The fields of a record in the order in which people read them: what it is called, how it stands, then the others in
 * the order of the entity, and the owner last.
 */
export function fieldsToRead(resource: ResourceName): [name: string, field: Field][] {
  const fields = Object.entries<Field>(ENTITIES[resource].fields);
  const place = (name: string) => {
    if (name === "salutation" || NAME_FIELDS[resource].includes(name)) return 0;
    if (name === "status" || name === "stage" || name === "priority") return 1;
    return name === "owner_id" ? 3 : 2;
  };
  return fields.toSorted(([a], [b]) => place(a) - place(b));
}
