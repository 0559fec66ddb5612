import { z } from "zod";

import { idInput, momentInput, timestampOutput } from "@/lib/input/ids-and-times";
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

/** One field of an entity: all that SQL, JSON, OpenAPI and forms need. */
export interface Field<Output extends z.ZodType = z.ZodType> {
  kind: FieldKind;
  /** The column's PostgreSQL type. */
  sqlType: string;
  /** The value in responses. */
  output: Output;
  /** The value that clients may write, without null. Stricter than what an import may write. */
  input: z.ZodType;
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
}

type Nullable<Schema extends z.ZodType> = Field<z.ZodNullable<Schema>>;

function nullable<Schema extends z.ZodType>(
  kind: FieldKind,
  sqlType: string,
  schema: Schema,
  input: z.ZodType = schema,
): Nullable<Schema> {
  return {
    kind,
    sqlType,
    output: schema.nullable(),
    input,
    nullable: true,
    required: false,
    readOnly: false,
    filterable: false,
  };
}

function stringUpTo(length: number) {
  return z.string().min(1, "It must not be empty; send null where there is no value.").max(length, atMost(length));
}

function atMost(length: number): string {
  return `At most ${length.toLocaleString("en")} characters.`;
}

/** A UUIDv7 in canonical lower-case form. */
export const id = () => nullable("id", "uuid", z.uuidv7());

export const text = () => nullable("text", "text", z.string(), stringUpTo(255));

/** Text of many lines. */
export const longText = () => nullable("text", "text", z.string(), stringUpTo(131_072));

export const email = () => nullable("text", "text", z.string(), stringUpTo(255).refine(isEmail, EMAIL_FAULT));

const EMAIL_FAULT = { error: "Write an e-mail address, like ada@example.com.", params: { code: "invalid_format" } };

/** The code of a currency (ISO 4217): `EUR`. */
export const currency = () =>
  nullable(
    "text",
    "text",
    z.string(),
    z.string().regex(/^[A-Z]{3}$/, "Write the three capital letters of ISO 4217, like EUR."),
  );

/** A value of a PostgreSQL enum; `values` is the enum that Prisma generates from the schema. */
export function enumeration<const Values extends Record<string, string>>(sqlType: string, values: Values) {
  return nullable("enum", sqlType, z.enum(values));
}

/** An amount as a JSON number with two decimals. The currency is a separate field. */
export const money = () =>
  nullable("money", "numeric(18,2)", z.number(), z.number().refine(isExactAmount, AMOUNT_FAULT));

const AMOUNT_FAULT = "An amount has at most two decimals and is between -70,000,000,000,000 and 70,000,000,000,000.";

/** Within these bounds a JSON number holds every cent exactly. */
function isExactAmount(value: number): boolean {
  return Math.abs(value) <= 70_000_000_000_000 && Number(value.toFixed(2)) === value;
}

function isEmail(value: string): boolean {
  return z.regexes.unicodeEmail.test(value);
}

/** A calendar date, `YYYY-MM-DD`. */
export const date = () =>
  nullable(
    "date",
    "date",
    z.iso.date(),
    z.iso
      .date({ error: ({ input }) => (input === undefined ? undefined : "Write a date like 2026-12-31.") })
      .refine(isAfterYearZero, YEAR_FAULT),
  );

const YEAR_FAULT = "The year must be between 0001 and 9999.";

function isAfterYearZero(value: string): boolean {
  return !value.startsWith("0000");
}

/** A moment, ISO 8601 in UTC with milliseconds and `Z`. */
export const timestamp = () =>
  nullable(
    "timestamp",
    "timestamptz(3)",
    timestampOutput,
    momentInput("Write a time with its offset, like 2026-12-31T09:30:00Z."),
  );

/** A whole number; clients may write one from `min` to `max`. */
export function integer(min = -(2 ** 31), max = 2 ** 31 - 1) {
  const fault = `A whole number from ${min} to ${max}.`;
  return nullable("integer", "integer", z.int32(), z.int(fault).min(min, fault).max(max, fault));
}

export const boolean = () => nullable("boolean", "boolean", z.boolean());

const customName = z.string().min(1, "A name must not be empty.").max(255, "A name has at most 255 characters.");

/** The organization's own values beside our fields: an object of any JSON values. */
export const object = () => nullable("object", "jsonb", z.record(z.string(), z.json()), z.record(customName, z.json()));

/** The id of a record of another entity. Lists can be filtered by it. */
export function reference(references: ResourceName) {
  return {
    ...nullable("reference", "uuid", z.uuid(), idInput("This must be the id of a record.")),
    references,
    filterable: true,
  };
}

/** The id of a user of the organization. */
export function userReference() {
  return {
    ...nullable(
      "reference",
      "uuid",
      z.uuid(),
      idInput("This must be the id of a user; `GET /api/v1/users` lists them."),
    ),
    references: "users" as const,
  };
}

/** Makes a field required on creation. */
export function required<Schema extends z.ZodType>(field: Nullable<Schema>): Field<Schema> {
  return {
    ...field,
    input: requiredInput(field.input),
    output: field.output.unwrap(),
    nullable: false,
    required: true,
  };
}

/** The same input for a field that cannot be null: no refusal suggests null, and blank texts are refused. */
export function requiredInput(input: z.ZodType): z.ZodType {
  // A text is recognized by its maximum length: an id is a string too, with another rule.
  if (!(input instanceof z.ZodString) || input.maxLength === null) return input;
  return z
    .string()
    .min(1, { error: "It must not be empty.", abort: true })
    .regex(/\S/, "It must not be blank.")
    .max(input.maxLength, atMost(input.maxLength));
}

/** Gives a field a default, which must be the column's default. */
export function defaulted<Schema extends z.ZodType>(
  field: Nullable<Schema>,
  value: string | number | boolean,
): Field<Schema> {
  return { ...field, output: field.output.unwrap(), nullable: false, default: value };
}

/** A field that only the service sets, and that is never empty. */
export function issued<Schema extends z.ZodType>(field: Nullable<Schema>): Field<Schema> {
  return { ...required(field), required: false, readOnly: true };
}

/** A field that only the service sets, and that may be empty. */
export function readOnly<F extends Field>(field: F): F {
  return { ...field, readOnly: true };
}

/** Lets lists be filtered by a field. It needs an index (organization, field, id). */
export function filterable<F extends Field>(field: F): F {
  return { ...field, filterable: true };
}

/** Lets lists be filtered by a unique field. It needs a unique index (organization, field). */
export function unique<F extends Field>(field: F): F {
  return { ...field, filterable: true, unique: true };
}
