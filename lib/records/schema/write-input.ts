import { z } from "zod";

import { strictInput } from "@/lib/input/parse-input";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { fieldInput } from "@/lib/records/schema/field-schema";

/** The fields of a record, or some of them: name → value, as in JSON. */
export type Values = Record<string, unknown>;

/** The fields differ by entity, so the type has none. */
type WriteInput = z.ZodObject<Record<never, z.ZodType>, z.core.$strict>;

/** The body of a creation: every field that clients may write; required ones must be given. */
export function createInput(entity: Entity): WriteInput {
  return inputOf(entity, (field) => (field.required ? fieldInput(field) : optional(field)));
}

/** The fields of a change: every field that clients may write, all optional. */
export function updateInput(entity: Entity): WriteInput {
  return inputOf(entity, optional);
}

/** The fields of an upsert: those that clients may write, without the external id, which is beside them. */
export function upsertInput(entity: Entity) {
  // Its type has none of the fields, since they differ by entity.
  const fields: z.ZodObject<{ ext_id: z.ZodType }> = updateInput(entity) as unknown as z.ZodObject<{
    ext_id: z.ZodType;
  }>;
  return fields.omit({ ext_id: true });
}

/** An external id in paths and items. */
export const extIdInput = z
  .string()
  .min(1, "An external id must not be empty.")
  .max(255, "At most 255 characters.")
  .refine((value) => !value.includes("\0"), "A text must not contain the character U+0000.")
  .describe("The external id: the record's id in another system.");

/** The values of fields that a creation leaves out. */
export function defaultsOf(entity: Entity): Values {
  const defaulted = Object.entries<Field>(entity.fields).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(defaulted.map(([name, field]) => [name, field.kind === "object" ? {} : field.default]));
}

function inputOf(entity: Entity, schemaOf: (field: Field) => z.ZodType): WriteInput {
  const fields = Object.entries<Field>(entity.fields);
  const shape = fields.flatMap(([name, field]) => (field.readOnly ? [] : [[name, schemaOf(field)]]));
  const issued = fields.flatMap(([name, field]) => (field.readOnly ? [name] : []));
  return strictInput(Object.fromEntries(shape) as Record<never, z.ZodType>, issued);
}

function optional(field: Field): z.ZodType {
  return (field.nullable ? fieldInput(field).nullable() : fieldInput(field)).exactOptional();
}
