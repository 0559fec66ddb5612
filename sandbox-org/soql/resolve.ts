import type { Database } from "../data/database";
import type { Reader, Table } from "../data/table";
import { malformed } from "../server/api-error";
import type { Field, FieldType, Json } from "../schema/field";
import type { FieldPath, Query } from "./ast";
import { noSuchColumn, noSuchRelationship } from "./soql-error";

/** Where a query runs: the org, the API, and whether it reads deleted and archived records. */
export interface Scope {
  readonly database: Database;
  readonly api: "data" | "tooling";
  readonly all: boolean;
  /** `/services/data/v60.0`: record URLs start with it. */
  readonly root: string;
}

export interface Resolved {
  readonly type: FieldType;
  readonly field: Field | null;
  /** The field's name as in describe, not as in the query. */
  readonly name: string;
  readonly read: Reader;
}

/** Fields that can be queried on a polymorphic parent: those of Salesforce's `Name` object. */
const NAME_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...(
    [
      "Id",
      "Name",
      "Type",
      "FirstName",
      "LastName",
      "Email",
      "Phone",
      "Username",
      "Alias",
      "Title",
      "ProfileId",
      "UserRoleId",
    ] as const
  ).map((name) => [name.toLowerCase(), "string"] as const),
  ["isactive", "boolean"],
]);
const NAME_SPELLING = new Map(
  [
    "Id",
    "Name",
    "Type",
    "FirstName",
    "LastName",
    "Email",
    "Phone",
    "Username",
    "Alias",
    "Title",
    "ProfileId",
    "UserRoleId",
    "IsActive",
  ].map((name) => [name.toLowerCase(), name]),
);

export function isPolymorphic(field: Field): boolean {
  return field.referenceTo.length > 1;
}

/** The referenced record, or null if none exists that is visible to this query. */
export function follow(scope: Scope, field: Field, id: Json): { table: Table; ordinal: number } | null {
  if (typeof id !== "string") return null;
  if (scope.api === "tooling") return followByName(scope, field, id);
  const table = scope.database.tableOfId(id);
  const ordinal = table ? table.find(id) : -1;
  return table && ordinal >= 0 && (scope.all || !table.isDeleted(ordinal)) ? { table, ordinal } : null;
}

/** EntityDefinition is referenced by name instead of id. */
function followByName(scope: Scope, field: Field, id: string): { table: Table; ordinal: number } | null {
  const table = scope.database.table(field.referenceTo[0] ?? "", "tooling");
  const own = table?.field("Id");
  if (!table || !own) return null;
  for (let ordinal = 0; ordinal < table.size; ordinal++) if (table.read(own, ordinal) === id) return { table, ordinal };
  return null;
}

function nameFieldOf(table: Table): Field | undefined {
  return table.fields.find(({ nameField }) => nameField);
}

/** A field of the `Name` object, read from the record that a polymorphic reference points at. */
export function readNameField(found: { table: Table; ordinal: number }, name: string): Json {
  if (name === "type") return found.table.name;
  const field = name === "name" ? (found.table.field("Name") ?? nameFieldOf(found.table)) : found.table.field(name);
  return field ? found.table.read(field, found.ordinal) : null;
}

/** Resolves a path to a field, or throws Salesforce's INVALID_FIELD. */
export function resolve(scope: Scope, query: Query, table: Table, path: FieldPath): Resolved {
  const resolved = walk(scope, query, table, withoutOwnName(path, query, table), path.at);
  return path.wrapper === null ? resolved : wrap(resolved, path.wrapper);
}

/** In a query on Account, `Account.Name` may mean the Name of that account. */
export function withoutOwnName(path: FieldPath, query: Query, table: Table): readonly string[] {
  const [first = "", ...rest] = path.path;
  return rest.length > 0 && first.toLowerCase() === query.from.toLowerCase() && !table.relationship(first)
    ? rest
    : path.path;
}

function walk(scope: Scope, query: Query, table: Table, path: readonly string[], at: number): Resolved {
  const [first = "", ...rest] = path;
  if (rest.length === 0) {
    const field = table.field(first);
    if (!field) throw noSuchColumn(query.source, at, first, table.name);
    return { type: field.type, field, name: field.name, read: table.reader(field) };
  }
  const reference = table.relationship(first);
  if (!reference) throw noSuchRelationship(query.source, at, first);
  if (isPolymorphic(reference)) return walkName(scope, query, table, reference, rest, at);
  const parent = scope.database.table(reference.referenceTo[0] ?? "", scope.api);
  if (!parent) throw noSuchRelationship(query.source, at, first);
  const leaf = walk(scope, query, parent, rest, at);
  return {
    ...leaf,
    read: (ordinal) => {
      const found = follow(scope, reference, table.read(reference, ordinal));
      return found ? leaf.read(found.ordinal) : null;
    },
  };
}

function walkName(
  scope: Scope,
  query: Query,
  table: Table,
  reference: Field,
  rest: readonly string[],
  at: number,
): Resolved {
  const name = (rest[0] ?? "").toLowerCase();
  const type = NAME_FIELDS.get(name);
  if (type === undefined || rest.length > 1) throw noSuchColumn(query.source, at, rest[0] ?? "", "Name");
  return {
    type,
    field: null,
    name: NAME_SPELLING.get(name) ?? name,
    read: (ordinal) => {
      const found = follow(scope, reference, table.read(reference, ordinal));
      return found ? readNameField(found, name) : null;
    },
  };
}

const SLICES: Readonly<Record<string, (text: string) => Json>> = {
  CALENDAR_YEAR: (text) => Number(text.slice(0, 4)),
  CALENDAR_MONTH: (text) => Number(text.slice(5, 7)),
  DAY_ONLY: (text) => text.slice(0, 10),
};

function wrap(resolved: Resolved, wrapper: string): Resolved {
  const slice = SLICES[wrapper];
  if (!slice) return resolved;
  if (resolved.type !== "date" && resolved.type !== "datetime")
    throw malformed(`${wrapper} can only be used with date and datetime fields`);
  return {
    ...resolved,
    type: wrapper === "DAY_ONLY" ? "date" : "int",
    read: (ordinal) => {
      const value = resolved.read(ordinal);
      return typeof value === "string" ? slice(value) : null;
    },
  };
}
