import { z } from "zod";

import type { ResourceName } from "@/lib/records/resources";

export type FieldKind = "id" | "text" | "enum" | "money" | "date" | "timestamp" | "integer" | "boolean" | "reference" | "object";

/** One field of an entity: everything that SQL, JSON, OpenAPI and forms need to know of it. */
export interface Field<Output extends z.ZodType = z.ZodType> {
  kind: FieldKind;
  /** The column's PostgreSQL type. */
  sqlType: string;
  /** The value in answers. */
  output: Output;
  nullable: boolean;
  /** Must be given when a record is created. */
  required: boolean;
  /** Set by the service alone; clients cannot write it. */
  readOnly: boolean;
  /** The column's default, which a record gets when nothing else is given. */
  default?: string | number | boolean;
  /** What the value is the id of. */
  references?: ResourceName | "users";
  /** Lists can be narrowed to one value of it; an index stands behind. */
  filterable: boolean;
}

type Nullable<Schema extends z.ZodType> = Field<z.ZodNullable<Schema>>;

function nullable<Schema extends z.ZodType>(kind: FieldKind, sqlType: string, schema: Schema): Nullable<Schema> {
  return { kind, sqlType, output: schema.nullable(), nullable: true, required: false, readOnly: false, filterable: false };
}

/** A UUIDv7 in canonical lower-case form. */
export const id = () => nullable("id", "uuid", z.uuidv7());

export const text = () => nullable("text", "text", z.string());

/** One of a PostgreSQL enum's values; `values` is the enum that Prisma generated from the schema. */
export function enumeration<const Values extends Record<string, string>>(sqlType: string, values: Values) {
  return nullable("enum", sqlType, z.enum(values));
}

/** An amount as a JSON number with two decimals; the currency stands in a field of its own. */
export const money = () => nullable("money", "numeric(18,2)", z.number());

/** A calendar date, `YYYY-MM-DD`. */
export const date = () => nullable("date", "date", z.iso.date());

/** A moment, ISO 8601 in UTC with milliseconds and `Z`. */
export const timestamp = () => nullable("timestamp", "timestamptz(3)", z.iso.datetime({ precision: 3 }));

export const integer = () => nullable("integer", "integer", z.int32());

export const boolean = () => nullable("boolean", "boolean", z.boolean());

/** Whatever the organization keeps beyond our fields: an object of any JSON values. */
export const object = () => nullable("object", "jsonb", z.record(z.string(), z.json()));

/** The id of a record of another entity, by which lists can be narrowed. */
export function reference(references: ResourceName) {
  return { ...nullable("reference", "uuid", z.uuid()), references, filterable: true };
}

/** The id of a user of the organization. */
export function userReference() {
  return { ...nullable("reference", "uuid", z.uuid()), references: "users" as const };
}

/** Makes a field one that a record cannot be created without. */
export function required<Schema extends z.ZodType>(field: Nullable<Schema>): Field<Schema> {
  return { ...field, output: field.output.unwrap(), nullable: false, required: true };
}

/** Gives a field a value for records that were created without one. It must be the column's default. */
export function defaulted<Schema extends z.ZodType>(field: Nullable<Schema>, value: string | number | boolean): Field<Schema> {
  return { ...field, output: field.output.unwrap(), nullable: false, default: value };
}

/** Leaves a field that is never empty to the service. */
export function issued<Schema extends z.ZodType>(field: Nullable<Schema>): Field<Schema> {
  return { ...required(field), required: false, readOnly: true };
}

/** Leaves a field to the service, which may leave it empty. */
export function readOnly<F extends Field>(field: F): F {
  return { ...field, readOnly: true };
}

/** Takes a reference out of the list filters, because no index stands behind it. */
export function unfiltered<F extends Field>(field: F): F {
  return { ...field, filterable: false };
}

/** Lets lists be narrowed to one value of a field. An index must begin with the organization and it. */
export function filterable<F extends Field>(field: F): F {
  return { ...field, filterable: true };
}
