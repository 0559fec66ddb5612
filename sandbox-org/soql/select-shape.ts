import type { Database } from "../data/database";
import type { Table } from "../data/table";
import type { Field } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import type { FieldPath, Query, SelectItem } from "./ast";
import { isPolymorphic, resolve, withoutOwnName, type Scope } from "./resolve";
import { shapeOfFields, type RowWriter, type Shape } from "./row-writer";

const ALL_FIELDS_LIMIT = 200;

/** Builds the shape of a SELECT list and checks every name. `children` makes the writer of a subquery. */
export function shapeOf(
  scope: Scope,
  query: Query,
  table: Table,
  children: (inner: Query, at: number) => { name: string; write: RowWriter },
): Shape {
  const shape = shapeOfFields([]);
  for (const item of query.select) addItem(scope, query, table, shape, item, children);
  return shape;
}

function addItem(
  scope: Scope,
  query: Query,
  table: Table,
  shape: Shape,
  item: SelectItem,
  children: (inner: Query, at: number) => { name: string; write: RowWriter },
): void {
  switch (item.kind) {
    case "field":
      return addPath(scope, query, table, shape, item.field);
    case "fields":
      return addAll(query, table, shape, item.which);
    case "children": {
      const { name, write } = children(item.query, item.at);
      shape.order.push({ kind: "children", name, write });
      return undefined;
    }
    case "aggregate":
      throw malformed("Grouped query cannot select a field without grouping");
  }
}

function addField(shape: Shape, field: Field): void {
  if (shape.order.some((part) => part.kind === "field" && part.field.name === field.name)) {
    throw new ApiError(400, "INVALID_FIELD", `duplicate field selected: ${field.name}`);
  }
  shape.order.push({ kind: "field", field });
}

function addAll(query: Query, table: Table, shape: Shape, which: string): void {
  if (!["ALL", "STANDARD", "CUSTOM"].includes(which)) throw malformed(`Unknown FIELDS() argument: ${which}`);
  if (which !== "STANDARD" && (query.limit ?? Infinity) > ALL_FIELDS_LIMIT)
    throw malformed("The SOQL FIELDS function must have a LIMIT of at most 200");
  for (const field of table.fields)
    if (which === "ALL" || field.custom === (which === "CUSTOM")) addField(shape, field);
}

/** Adds `Account.Owner.Name` as nested parents. `resolve` throws if the path does not exist. */
function addPath(scope: Scope, query: Query, table: Table, shape: Shape, path: FieldPath): void {
  resolve(scope, query, table, path);
  descend(scope, table, shape, withoutOwnName(path, query, table));
}

function descend(scope: Scope, table: Table, shape: Shape, path: readonly string[]): void {
  const [step = "", ...rest] = path;
  const field = rest.length === 0 ? table.field(step) : undefined;
  if (field) addField(shape, field);
  const reference = rest.length === 0 ? undefined : table.relationship(step);
  if (!reference) return;
  const parent = parentOf(shape, reference);
  if (isPolymorphic(reference)) {
    parent.names.push(spelled(scope.database, reference, rest[0] ?? "Name"));
    return;
  }
  const next = scope.database.table(reference.referenceTo[0] ?? "", scope.api);
  if (next) descend(scope, next, parent.shape, rest);
}

function parentOf(shape: Shape, reference: Field): { reference: Field; shape: Shape; names: string[] } {
  const name = reference.relationshipName ?? "";
  const existing = shape.parents.get(name);
  if (existing) return existing;
  const created = { reference, shape: shapeOfFields([]), names: [] };
  shape.parents.set(name, created);
  shape.order.push({ kind: "parent", name });
  return created;
}

function spelled(database: Database, reference: Field, name: string): string {
  if (name.toLowerCase() === "type") return "Type";
  const tables = reference.referenceTo.map((target) => database.table(target));
  return tables.map((table) => table?.field(name)?.name).find((found) => found !== undefined) ?? name;
}
