import type { ResourceName } from "@/lib/records/schema/resources";

export type FieldKind =
  | "id"
  | "text"
  | "enum"
  | "money"
  | "date"
  | "timestamp"
  | "integer"
  | "boolean"
  | "reference"
  | "object";

/**
 * One field of an entity: all that SQL, JSON, OpenAPI and forms need. It is data alone, so that pages can read it;
 * `field-schema.ts` makes its schemas. `Value` is the type of its value in responses, null included.
 */
export interface Field<Value = unknown> {
  kind: FieldKind;
  /** The column's PostgreSQL type. */
  sqlType: string;
  /** The values of an enum, in its order. */
  values?: readonly (Value & string)[];
  /** The one of them that only an action sets, with other fields: no form offers it. */
  ofAction?: string;
  /** The longest text, in characters. */
  maxLength?: number;
  /** What a text must be. */
  format?: "email" | "currency";
  /** The bounds of a whole number. */
  min?: number;
  max?: number;
  nullable: boolean;
  /** Required when a record is created. */
  required: boolean;
  /** Only the service sets it. */
  readOnly: boolean;
  /** The column's default, for records that are created without a value. */
  default?: string | number | boolean;
  /** What the value identifies. */
  references?: ResourceName | "users";
  /** Lists can be filtered by it. An index covers it. */
  filterable: boolean;
  /** Unique within an organization. */
  unique?: true;
  /** Never set: it carries the type. */
  value?: Value;
}

function nullable<Value>(kind: FieldKind, sqlType: string): Field<Value | null> {
  return { kind, sqlType, nullable: true, required: false, readOnly: false, filterable: false };
}

/** A UUIDv7 in canonical lower-case form. */
export const id = () => nullable<string>("id", "uuid");

export const text = () => ({ ...nullable<string>("text", "text"), maxLength: 255 });

/** Text of many lines. */
export const longText = () => ({ ...nullable<string>("text", "text"), maxLength: 131_072 });

export const email = () => ({ ...text(), format: "email" as const });

/** The code of a currency (ISO 4217): `EUR`. */
export const currency = () => ({ ...nullable<string>("text", "text"), format: "currency" as const });

/** A value of a PostgreSQL enum; `values` is the enum that Prisma generates from the schema. */
export function enumeration<const Value extends string>(
  sqlType: string,
  values: Readonly<Record<string, Value>>,
): Field<Value | null> {
  return { ...nullable<Value>("enum", sqlType), values: Object.values(values) };
}

/** An amount as a JSON number with two decimals. The currency is a separate field. */
export const money = () => nullable<number>("money", "numeric(18,2)");

/** A calendar date, `YYYY-MM-DD`. */
export const date = () => nullable<string>("date", "date");

/** A moment, ISO 8601 in UTC with milliseconds and `Z`. */
export const timestamp = () => nullable<string>("timestamp", "timestamptz(3)");

/** A whole number; clients may write one from `min` to `max`. */
export function integer(min = -(2 ** 31), max = 2 ** 31 - 1) {
  return { ...nullable<number>("integer", "integer"), min, max };
}

export const boolean = () => nullable<boolean>("boolean", "boolean");

/** The organization's own values beside our fields: an object of any JSON values. */
export const object = () => nullable<Record<string, unknown>>("object", "jsonb");

/** The id of a record of another entity. Lists can be filtered by it. */
export function reference(references: ResourceName) {
  return { ...nullable<string>("reference", "uuid"), references, filterable: true };
}

/** The id of a user of the organization. */
export function userReference() {
  return { ...nullable<string>("reference", "uuid"), references: "users" as const };
}

/** Makes a field required on creation. */
export function required<Value>(field: Field<Value | null>): Field<Value> {
  return { ...neverNull(field), required: true };
}

/** Gives a field a default, which must be the column's default. */
export function defaulted<Value>(field: Field<Value | null>, value: string | number | boolean): Field<Value> {
  return { ...neverNull(field), default: value };
}

/** A field that only the service sets, and that is never empty. */
export function issued<Value>(field: Field<Value | null>): Field<Value> {
  return { ...neverNull(field), readOnly: true };
}

function neverNull<Value>(field: Field<Value | null>): Field<Value> {
  return { ...(field as Field<Value>), nullable: false };
}

/** A field that only the service sets, and that may be empty. */
export function readOnly<F extends Field>(field: F): F {
  return { ...field, readOnly: true };
}

/** Keeps one value of an enum for an action: `write/write-rules.ts` refuses it from clients. */
export function ofAction<F extends Field>(value: string, field: F): F {
  return { ...field, ofAction: value };
}

/** Lets lists be filtered by a field. It needs an index (organization, field, id). */
export function filterable<F extends Field>(field: F): F {
  return { ...field, filterable: true };
}

/** Lets lists be filtered by a unique field. It needs a unique index (organization, field). */
export function unique<F extends Field>(field: F): F {
  return { ...field, filterable: true, unique: true };
}
