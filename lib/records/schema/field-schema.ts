import { z } from "zod";

import { formatNumber } from "@/lib/amounts";
import { dateInput, idInput, momentInput, timestampOutput } from "@/lib/input/ids-and-times";
import type { Entity, Fields } from "@/lib/records/schema/entity";
import type { Field, FieldKind } from "@/lib/records/schema/field";
import type { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

type SchemaOf = (field: Field) => z.ZodType;

/** The schema of each kind of field, without null. */
const OUTPUTS: Record<FieldKind, SchemaOf> = {
  id: () => z.uuidv7(),
  reference: () => z.uuid(),
  text: () => z.string(),
  enum: ({ values = [] }) => z.enum(values),
  money: () => z.number(),
  integer: () => z.int32(),
  boolean: () => z.boolean(),
  date: () => z.iso.date(),
  timestamp: () => timestampOutput,
  object: () => z.record(z.string(), z.json()),
};

const INPUTS: Record<FieldKind, SchemaOf> = {
  id: OUTPUTS.id,
  reference: ({ references }) =>
    references === "users"
      ? idInput("This must be the id of a user; `GET /api/v1/users` lists them.")
      : idInput("This must be the id of a record."),
  text: textInput,
  enum: ({ values = [] }) => z.enum(values, { error: ({ input }) => (input === "" ? EMPTY_CHOICE : undefined) }),
  money: () =>
    z
      .number({ error: numberFault })
      .min(-MAX_AMOUNT, OUT_OF_BOUNDS)
      .max(MAX_AMOUNT, OUT_OF_BOUNDS)
      .refine(isExactAmount, AMOUNT_FAULT),
  integer: wholeNumber,
  boolean: OUTPUTS.boolean,
  date: () => dateInput(({ input }) => (input === undefined ? undefined : input === "" ? EMPTY_DATE : DATE_FAULT)),
  timestamp: () => momentInput("Write a time with its offset, like 2026-12-31T09:30:00Z."),
  object: () => z.record(customName, z.json()),
};

/** The schema of a field's value in responses. */
export function fieldOutput<Value>(field: Field<Value>): z.ZodType<Value, Value> {
  const schema = OUTPUTS[field.kind](field);
  return (field.nullable ? schema.nullable() : schema) as unknown as z.ZodType<Value, Value>;
}

/** The schema of the value that clients may write, without null. Stricter than what an import may write. */
export function fieldInput(field: Field): z.ZodType {
  return INPUTS[field.kind](field);
}

const DATE_FAULT = "Write a date like 2026-12-31.";

const EMPTY_DATE = "It must not be empty: choose a date.";

const EMPTY_CHOICE = "It must not be empty: choose one of its values.";

const customName = z.string().min(1, "A name must not be empty.").max(255, "A name has at most 255 characters.");

function textInput({ format, maxLength = 255, nullable }: Field): z.ZodType {
  if (format === "currency") {
    return z.string().regex(/^[A-Z]{3}$/, "Write the three capital letters of ISO 4217, like EUR.");
  }
  const tooLong = `At most ${formatNumber(maxLength)} characters.`;
  // No refusal of a field that cannot be null suggests null, and blank texts are refused.
  const filled = !nullable
    ? z.string().min(1, { error: "It must not be empty.", abort: true }).regex(/\S/, "It must not be blank.")
    : z.string().min(1, "It must not be empty; send null where there is no value.");
  const bounded = filled.max(maxLength, tooLong);
  return format === "email" ? bounded.refine((value) => z.regexes.unicodeEmail.test(value), EMAIL_FAULT) : bounded;
}

const EMAIL_FAULT = { error: "Write an e-mail address, like ada@example.com.", params: { code: "invalid_format" } };

/** Beside an input, its label names the field. Where the value is missing, the usual sentence says that. */
function numberFault({ input }: { input?: unknown }): string | undefined {
  return input === undefined ? undefined : "Write a number, like 12500 or 12500.50.";
}

const AMOUNT_FAULT = "An amount has at most two decimals and is between -70,000,000,000,000 and 70,000,000,000,000.";

/** Up to here a JSON number holds every cent exactly. */
const MAX_AMOUNT = 70_000_000_000_000;

const OUT_OF_BOUNDS = { error: AMOUNT_FAULT, abort: true };

function isExactAmount(value: number): boolean {
  return Number(value.toFixed(2)) === value;
}

function wholeNumber({ min = -(2 ** 31), max = 2 ** 31 - 1 }: Field): z.ZodType {
  const fault = `A whole number from ${formatNumber(min)} to ${formatNumber(max)}.`;
  return z.int(fault).min(min, fault).max(max, fault);
}

type OutputShape<Declared extends Fields> = {
  [Name in keyof Declared]: Declared[Name] extends Field<infer Value> ? z.ZodType<Value, Value> : never;
};

type RecordOutput<Declared extends Fields> = z.ZodObject<OutputShape<Declared>>;

const outputs = new WeakMap<object, z.ZodObject>();

/** The schema of a record in responses; the same object for each call, by which the API description names it. */
export function recordOutput<Declared extends Fields>(entity: Pick<Entity, "resource"> & { fields: Declared }) {
  const known = outputs.get(entity);
  if (known) return known as unknown as RecordOutput<Declared>;
  const shape = Object.fromEntries(
    Object.entries<Field>(entity.fields).map(([name, field]) => [name, fieldOutput(field)]),
  );
  const made = z.object(shape);
  outputs.set(entity, made);
  return made as unknown as RecordOutput<Declared>;
}

/** A record of a resource in responses. */
export type RecordOf<Resource extends ResourceName> = z.output<RecordOutput<(typeof ENTITIES)[Resource]["fields"]>>;
