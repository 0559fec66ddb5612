import type { Table } from "../data/table";
import type { Field, FieldType, Json } from "../schema/field";
import { follow, isPolymorphic, NAME_FIELDS, nameFieldOf, readNameField, type Scope } from "./resolve";

/** Writes one record as JSON text. */
export type RowWriter = (ordinal: number) => string;

/** What to write of a record: its own fields, parents with theirs, and lists of children. */
export interface Shape {
  readonly fields: Field[];
  readonly parents: Map<string, { reference: Field; shape: Shape; names: string[] }>;
  readonly children: { name: string; write: RowWriter }[];
  /** Own fields, parents and children in the order in which the query names them. */
  readonly order: ({ kind: "field"; field: Field } | { kind: "parent"; name: string } | { kind: "children"; name: string; write: RowWriter })[];
}

export function emptyShape(): Shape {
  return { fields: [], parents: new Map(), children: [], order: [] };
}

/** Values of these types never need escaping. */
const PLAIN = new Set<FieldType>(["id", "reference", "date", "datetime"]);

function valueWriter(table: Table, field: Field): RowWriter {
  const head = `,"${field.name}":`;
  if (PLAIN.has(field.type)) {
    return (ordinal) => {
      const value = table.read(field, ordinal);
      return value === null ? `${head}null` : `${head}"${value as string}"`;
    };
  }
  return (ordinal) => head + jsonOf(table.read(field, ordinal));
}

function jsonOf(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return String(value);
}

function attributesOf(scope: Scope, table: Table, type: string): RowWriter {
  const folder = scope.api === "tooling" ? "/tooling/sobjects/" : "/sobjects/";
  const head = `{"attributes":{"type":"${type}","url":"${scope.root}${folder}${table.name}/`;
  const id = table.field("Id");
  return (ordinal) => `${head}${id ? String(table.read(id, ordinal)) : ""}"}`;
}

/** A writer for records of one table; `type` is what `attributes.type` says when it is not the table's name. */
export function rowWriter(scope: Scope, table: Table, shape: Shape, type: string = table.name): RowWriter {
  const head = attributesOf(scope, table, type);
  const parts = shape.order.map((part): RowWriter => {
    if (part.kind === "field") return valueWriter(table, part.field);
    if (part.kind === "children") return (ordinal) => `,${JSON.stringify(part.name)}:${part.write(ordinal)}`;
    return parentWriter(scope, table, shape, part.name);
  });
  return (ordinal) => {
    let text = head(ordinal);
    for (const part of parts) text += part(ordinal);
    return `${text}}`;
  };
}

function parentWriter(scope: Scope, table: Table, shape: Shape, name: string): RowWriter {
  const parent = shape.parents.get(name);
  if (!parent) return () => "";
  const { reference, shape: inner, names } = parent;
  const head = `,"${name}":`;
  const writers = new Map<string, RowWriter>();
  return (ordinal) => {
    const found = follow(scope, reference, table.read(reference, ordinal));
    if (!found) return `${head}null`;
    if (isPolymorphic(reference)) return head + writeName(scope, found, names);
    const writer = writers.get(found.table.name) ?? rowWriter(scope, found.table, inner);
    writers.set(found.table.name, writer);
    return head + writer(found.ordinal);
  };
}

function writeName(scope: Scope, found: { table: Table; ordinal: number }, names: readonly string[]): string {
  let text = attributesOf(scope, found.table, "Name")(found.ordinal);
  for (const name of names) text += `,${JSON.stringify(name)}:${jsonOf(readNameField(found, name.toLowerCase()))}`;
  return `${text}}`;
}

/** The `Name` field of a table as its describe spells it. */
export function nameOf(table: Table): string {
  return nameFieldOf(table)?.name ?? "Id";
}

export function isNameField(name: string): boolean {
  return NAME_FIELDS.has(name.toLowerCase());
}
