import type { Scope } from "@/lib/context";
import {
  defaulted,
  type Field,
  filterable,
  id,
  integer,
  issued,
  object,
  readOnly,
  text,
  timestamp,
  unique,
  userReference,
} from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

export type Fields = Record<string, Field>;

/** An event beside `updated`: of every change of a field, or only of its change to one value. */
export interface ExtraEvent {
  /** "escalated" in `case.escalated`. */
  action: string;
  field: string;
  value?: string | boolean;
}

/** One kind of record. Its table has the name of the resource, and its columns those of the fields. */
export interface Entity<Resource extends ResourceName = ResourceName, Declared extends Fields = Fields> {
  resource: Resource;
  /** The name of one record in running text: "case comment". */
  label: string;
  /** The label as one word, for the names of operations and events: "case_comment". */
  singular: string;
  /** Any one of these scopes allows reading. */
  readScopes: readonly Scope[];
  /** The fields, in the order of responses. */
  fields: Declared;
  /** The fields that `q` searches. An index covers them. */
  search: readonly string[];
  /** The phone numbers that `q` finds by their last digits. Another index covers them. */
  phones: readonly string[];
  /** The fields by which people look a record up in the alphabet; the first names the order. An index covers them. */
  alphabet: readonly string[];
  /** What lists are filtered by: the filterable fields, and `migration_id`, a column that is never a field. */
  filters: readonly string[];
  /** The fields of which no two records of an organization have the same value. */
  unique: readonly string[];
  /** What lists are sorted by → the direction that people expect: the latest first, from A on. Indexes cover it. */
  sortings: Readonly<Record<string, "asc" | "desc">>;
  extraEvent: ExtraEvent | null;
}

/** The fields of every record. `organization_id` is a column too, but never a field. */
const COMMON = {
  id: issued(id()),
  created_at: issued(timestamp()),
  updated_at: issued(timestamp()),
  ext_id: unique(text()),
  owner_id: filterable(userReference()),
  custom_fields: defaulted(object(), "{}"),
  version: readOnly(defaulted(integer(), 1)),
};

interface Declaration<Resource extends ResourceName, Declared extends Fields> {
  resource: Resource;
  label: string;
  readScopes?: readonly Scope[];
  search?: readonly (keyof Declared & string)[];
  phones?: readonly (keyof Declared & string)[];
  alphabet?: readonly (keyof Declared & string)[];
  /** Dates and amounts by which lists are sorted too, each with the direction that people expect. */
  sortings?: { readonly [Name in keyof Declared & string]?: "asc" | "desc" };
  extraEvent?: ExtraEvent & { field: keyof Declared & string };
  fields: Declared;
}

/** Completes an entity's declaration with the common fields. */
export function defineEntity<Resource extends ResourceName, Declared extends Fields>(
  declaration: Declaration<Resource, Declared>,
): Entity<Resource, typeof COMMON & Declared> {
  const fields = { ...COMMON, ...declaration.fields };
  const [first] = declaration.alphabet ?? [];
  return {
    resource: declaration.resource,
    label: declaration.label,
    singular: declaration.label.replaceAll(" ", "_"),
    readScopes: declaration.readScopes ?? ["crm:read"],
    search: declaration.search ?? [],
    phones: declaration.phones ?? [],
    alphabet: declaration.alphabet ?? [],
    filters: [...namesOf(fields, "filterable"), "migration_id"],
    unique: namesOf(fields, "unique"),
    sortings: {
      created_at: "desc",
      updated_at: "desc",
      ...(first !== undefined && { [first]: "asc" }),
      ...declaration.sortings,
    },
    extraEvent: declaration.extraEvent ?? null,
    fields,
  };
}

function namesOf(fields: Fields, quality: "filterable" | "unique"): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.[quality]);
}

const ADDRESS_PARTS = ["street", "city", "state", "postal_code", "country"] as const;

/** The five text fields of an address: `billing_street` and so on. */
export function address<Prefix extends string>(prefix: Prefix) {
  type Name = `${Prefix}_${(typeof ADDRESS_PARTS)[number]}`;
  return Object.fromEntries(ADDRESS_PARTS.map((part) => [`${prefix}_${part}`, text()])) as Record<
    Name,
    ReturnType<typeof text>
  >;
}
