import { isDay } from "@/lib/input/calendar-day";
import { MAX_SEARCH } from "@/lib/input/limits";
import type { Field } from "@/lib/records/schema/field";
import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Periods in which a record was created or changed. A day stands for its beginning in the pages' time zone. */
export const PERIODS: Readonly<Record<string, string>> = {
  "created_at[gte]": "Created from",
  "created_at[lt]": "Created before",
  "updated_at[gte]": "Updated from",
  "updated_at[lt]": "Updated before",
};

/** The parameters by which the API filters a list. Links lead to the records of a migration. */
export function filterNames(resource: ResourceName): string[] {
  return [...ENTITIES[resource].filters, ...Object.keys(PERIODS)];
}

/** Whether the API searches these records for words. */
export function isSearchable(resource: ResourceName): boolean {
  return ENTITIES[resource].search.length > 0;
}

/** In a filter by a user: whoever looks at the list. */
export const ME = "me";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const MOMENT = /^(.*)T.*(Z|[+-]\d\d:\d\d)$/;

/** Whether a list can be filtered by a value: the API refuses what can be no value of the field. */
export function isFilterValue(resource: ResourceName, name: string, value: string): boolean {
  if (Object.hasOwn(PERIODS, name)) return isDay(value) || isMoment(value);
  const field = (ENTITIES[resource].fields as Record<string, Field>)[name];
  // The migration of a record is no field of it.
  return field ? isValueOf(field, value) : ID.test(value);
}

function isMoment(value: string): boolean {
  const [, day = ""] = MOMENT.exec(value) ?? [];
  return isDay(day) && !Number.isNaN(Date.parse(value));
}

function isValueOf({ kind, values, references }: Field, value: string): boolean {
  if (kind === "reference") return ID.test(value) || (references === "users" && value === ME);
  if (kind === "boolean") return value === "true" || value === "false";
  if (values) return value.split(",").every((each) => values.includes(each));
  return value !== "" && value.length <= 255 && !value.includes("\0");
}

/** The words that the API searches for: it refuses words without a letter or a digit, and very long ones. */
export function searchableWords(words: string): string {
  // The cut may leave half a surrogate pair, which no address can hold.
  const shortened = words
    .slice(0, MAX_SEARCH)
    .replace(/[\ud800-\udbff]$/u, "")
    .replaceAll("\0", "")
    .trim();
  return /[\p{L}\p{N}]/u.test(shortened) ? shortened : "";
}

/** Whether a field can be a column: it is no object, and not the name, which is the first column. */
export function isColumn(resource: ResourceName, name: string): boolean {
  const fields: Record<string, Field> = ENTITIES[resource].fields;
  return Object.hasOwn(fields, name) && fields[name]?.kind !== "object" && !NAME_FIELDS[resource].includes(name);
}

/** The parameters that the address of a list can have, beside its columns' order and the filters' values. */
function parameters(resource: ResourceName): string[] {
  return [...filterNames(resource), ...(isSearchable(resource) ? ["q"] : []), "sort", "order", "columns"];
}

/** What the query of a list's address has that such a list does not know, in a sentence; null if there is nothing. */
export function addressFault(resource: ResourceName, query: string): string | null {
  const known = parameters(resource);
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `A list of ${resource} has no parameter \`${cut(unknown)}\`. It can have ${known.join(", ")}.`;
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return `The parameter \`${repeated}\` is given twice.`;
  const faulty = given.flatMap(([name, value]) => valueFault(resource, name, value) ?? []);
  return faulty[0] ?? null;
}

function valueFault(resource: ResourceName, name: string, value: string): string | null {
  const sortings = Object.keys(ENTITIES[resource].sortings);
  if (name === "sort" && !sortings.includes(value))
    return `\`sort\` must be one of ${sortings.join(", ")}, not \`${cut(value)}\`.`;
  if (name === "order" && value !== "asc" && value !== "desc")
    return `\`order\` must be asc or desc, not \`${cut(value)}\`.`;
  const columns = name === "columns" && value !== "" ? value.split(",") : [];
  const other = columns.find((column) => !isColumn(resource, column));
  return other === undefined ? null : `A list of ${resource} has no column \`${cut(other)}\`.`;
}

/** A name from outside, short enough for a sentence. */
function cut(name: string): string {
  return name.slice(0, 64);
}
