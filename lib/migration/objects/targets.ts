import type { ImportedResource, Scalar, Shape } from "@/lib/migration/objects/declaration";
import type { Field } from "@/lib/records/field";
import { ENTITIES } from "@/lib/records/registry";

/** What the import itself fills; no source field can be mapped onto these. */
const OWN = new Set(["id", "ext_id", "created_at", "updated_at", "owner_id", "custom_fields", "version", "position", "author_id", "case_number"]);

/** A field of a resource. Throws on a name that is none: a mapping that names it is a defect. */
export function fieldOf(resource: ImportedResource, name: string): Field {
  const fields: Record<string, Field> = ENTITIES[resource].fields;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw new Error(`${resource} has no field ${name}.`);
  return field;
}

/** The fields of a shape's resource that a source field can be mapped onto. */
export function targetsOf(shape: Pick<Shape, "resource" | "sets">): string[] {
  return Object.keys(ENTITIES[shape.resource].fields).filter((name) => !OWN.has(name) && !shape.sets.includes(name));
}

/** The values that an enum field can take; null for other fields. */
export function optionsOf(resource: ImportedResource, name: string): string[] | null {
  const field = fieldOf(resource, name);
  if (field.kind !== "enum") return null;
  const schema = field.output.toJSONSchema() as { enum?: string[]; anyOf?: { enum?: string[] }[] };
  return schema.enum ?? schema.anyOf?.find((option) => option.enum)?.enum ?? [];
}

/** What stands in a column that may not be empty when the source says nothing: the shape's placeholder or the column's default. */
export function fillerOf(shape: Pick<Shape, "resource" | "placeholders">, name: string): Scalar {
  return shape.placeholders[name] ?? fieldOf(shape.resource, name).default ?? null;
}
