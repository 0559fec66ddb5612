import { to18 } from "../generator/ids";
import { ApiError } from "../server/api-error";
import type { FieldType, Json } from "../schema/field";
import type { Literal } from "./ast";
import { periodOf } from "./period";
import type { Resolved } from "./resolve";

/** A literal in the form of a field's values: lower-case strings, ids of 18 characters, datetimes in UTC. */
export type Operand =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "span"; readonly from: string; readonly to: string };

const NUMBERS = new Set<FieldType>(["int", "double", "currency", "percent"]);
const IDS = new Set<FieldType>(["id", "reference"]);
const ID_PATTERN = /^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/;
const TYPE_NAMES: Partial<Record<FieldType, string>> = {
  datetime: "dateTime",
  date: "date",
  boolean: "boolean",
  int: "int",
  double: "double",
  currency: "double",
  percent: "double",
};

/** The form in which values of a type are compared. Salesforce ignores case, except in ids. */
export function comparable(type: FieldType, value: Json): Json {
  return typeof value === "string" && !IDS.has(type) && type !== "date" && type !== "datetime"
    ? value.toLowerCase()
    : value;
}

/** Throws INVALID_FIELD or INVALID_QUERY_FILTER_OPERATOR for a literal of the wrong type. */
export function toOperand(resolved: Resolved, literal: Literal): Operand {
  const { type, name } = resolved;
  if (literal.kind === "null") return { kind: "value", value: null };
  if (type === "datetime" || type === "date") return toMoment(type, name, literal);
  if (type === "boolean" || NUMBERS.has(type)) {
    if (literal.kind !== (type === "boolean" ? "boolean" : "number")) throw wrongType(type, name);
    return { kind: "value", value: literal.value };
  }
  if (literal.kind !== "string") {
    throw new ApiError(
      400,
      "INVALID_FIELD",
      `value of filter criterion for field '${name}' must be of type string and should be enclosed in quotes`,
    );
  }
  return { kind: "value", value: toText(resolved, literal.value) };
}

/** To Salesforce the empty string is null. An id must have the format of an id. */
function toText(resolved: Resolved, value: string): string | null {
  if (value === "") return null;
  if (!IDS.has(resolved.type) || isNamedEntity(resolved)) return String(comparable(resolved.type, value));
  if (!ID_PATTERN.test(value)) throw new ApiError(400, "INVALID_QUERY_FILTER_OPERATOR", `invalid ID field: ${value}`);
  return to18(value);
}

function isNamedEntity({ field }: Resolved): boolean {
  return field?.referenceTo.includes("EntityDefinition") === true;
}

function wrongType(type: FieldType, name: string): ApiError {
  return new ApiError(
    400,
    "INVALID_FIELD",
    `value of filter criterion for field '${name}' must be of type ${TYPE_NAMES[type] ?? "string"} and should not ` +
      "be enclosed in quotes",
  );
}

function toMoment(type: "date" | "datetime", name: string, literal: Literal): Operand {
  if (literal.kind === "period") {
    const { from, to } = periodOf(literal.name, literal.count, new Date());
    const write = (moment: Date): string => (type === "date" ? moment.toISOString().slice(0, 10) : utc(moment));
    return { kind: "span", from: write(from), to: write(to) };
  }
  if (literal.kind !== type) throw wrongType(type, name);
  if (type === "date") return { kind: "value", value: literal.value };
  const moment = new Date(literal.value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  if (Number.isNaN(moment.getTime())) throw new ApiError(400, "MALFORMED_QUERY", `Invalid datetime: ${literal.value}`);
  return { kind: "value", value: utc(moment) };
}

function utc(moment: Date): string {
  return `${moment.toISOString().slice(0, 23)}+0000`;
}
