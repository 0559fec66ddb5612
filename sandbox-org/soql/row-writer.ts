import type { Table } from "../data/table";
import { always, type Field, type FieldType, type Json } from "../schema/field";
import { follow, isPolymorphic, readNameField, type Scope } from "./resolve";

/** Writes one record as JSON text. */
export type RowWriter = (ordinal: number) => string;

interface Parent {
  readonly reference: Field;
  readonly shape: Shape;
  /** Fields of a polymorphic parent. */
  readonly names: string[];
}

/** What to write of a record, in the order of the query: its fields, its parents' fields, and lists of children. */
export interface Shape {
  readonly parents: Map<string, Parent>;
  readonly order: (
    | { readonly kind: "field"; readonly field: Field }
    | { readonly kind: "parent"; readonly name: string }
    | { readonly kind: "children"; readonly name: string; readonly write: RowWriter }
  )[];
}

export function shapeOfFields(fields: readonly Field[]): Shape {
  return { parents: new Map(), order: fields.map((field) => ({ kind: "field", field })) };
}

/** Values of these types never need escaping. */
const PLAIN = new Set<FieldType>(["id", "reference", "date", "datetime"]);

function valueWriter(table: Table, field: Field): RowWriter {
  const head = `,"${field.name}":`;
  const read = table.reader(field);
  if (!PLAIN.has(field.type)) return (ordinal) => head + jsonOf(read(ordinal));
  return (ordinal) => {
    const value = read(ordinal);
    return value === null ? `${head}null` : `${head}"${value as string}"`;
  };
}

/** Consecutive fields that are always empty are written as one constant text, as long as no record is changed. */
function emptyWriter(table: Table, fields: readonly Field[]): RowWriter {
  const text = fields.map(({ name, value }) => `,"${name}":${value === always.null ? "null" : "false"}`).join("");
  const writers = fields.map((field) => valueWriter(table, field));
  const { patches } = table.overlay;
  return (ordinal) => (patches.size === 0 ? text : writers.map((write) => write(ordinal)).join(""));
}

const isEmpty = ({ value }: Field): boolean => value === always.null || value === always.false;

/** JSON escapes only quotes, backslashes, control characters and lone surrogates. */
const NEEDS_ESCAPE = /["\\\p{Cc}\p{Cs}]/u;

function jsonOf(value: Json): string {
  if (typeof value === "string") return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return String(value);
}

function attributesOf(scope: Scope, table: Table, type: string): RowWriter {
  const folder = scope.api === "tooling" ? "/tooling/sobjects/" : "/sobjects/";
  const head = `{"attributes":{"type":"${type}","url":"${scope.root}${folder}${table.name}/`;
  const id = table.field("Id");
  return (ordinal) => `${head}${id ? String(table.read(id, ordinal)) : ""}"}`;
}

/** A writer for records of one table. `type` is the value of `attributes.type`. */
export function rowWriter(scope: Scope, table: Table, shape: Shape, type: string = table.name): RowWriter {
  const head = attributesOf(scope, table, type);
  const parts = partsOf(scope, table, shape);
  return (ordinal) => {
    let text = head(ordinal);
    for (const part of parts) text += part(ordinal);
    return `${text}}`;
  };
}

function partsOf(scope: Scope, table: Table, shape: Shape): RowWriter[] {
  const parts: RowWriter[] = [];
  let empties: Field[] = [];
  const flush = (): void => {
    if (empties.length > 0) parts.push(emptyWriter(table, empties));
    empties = [];
  };
  for (const part of shape.order) {
    if (part.kind === "field" && isEmpty(part.field)) {
      empties.push(part.field);
      continue;
    }
    flush();
    if (part.kind === "field") parts.push(valueWriter(table, part.field));
    else if (part.kind === "children") parts.push((ordinal) => `,${JSON.stringify(part.name)}:${part.write(ordinal)}`);
    else parts.push(parentWriter(scope, table, shape, part.name));
  }
  flush();
  return parts;
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
