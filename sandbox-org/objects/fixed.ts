import { idAt } from "../generator/ids";
import type { Org } from "../generator/population";
import { field, type Field, type FieldOptions, type FieldType, type Json } from "../schema/field";
import { sobject, type SObject, type SObjectOptions } from "../schema/sobject";

export type Row = Readonly<Record<string, Json>>;

/** A field of a fixed object. Its value is the property of the same name in a row. */
export interface Column extends FieldOptions {
  readonly name: string;
  readonly type?: FieldType;
}

/** An object with a few records that are the same in every org, except their ids. */
export function fixed(
  name: string,
  columns: readonly Column[],
  rows: (org: Org) => readonly Row[],
  options: Partial<SObjectOptions> & { label: string },
): SObject {
  const cache = new WeakMap<Org, readonly Row[]>();
  const rowsOf = (org: Org): readonly Row[] => {
    const known = cache.get(org) ?? rows(org);
    cache.set(org, known);
    return known;
  };
  const prefix = options.keyPrefix ?? null;
  const id =
    prefix === null
      ? []
      : [field("id", "Id", (org, n) => rowsOf(org)[n]?.["Id"] ?? idAt(org.seed, prefix, n), { nillable: false })];
  const fields: readonly Field[] = [
    ...id,
    ...columns.map(({ name: column, type = "string", ...rest }) =>
      field(type, column, (org, n) => rowsOf(org)[n]?.[column] ?? (type === "boolean" ? false : null), rest),
    ),
  ];
  return sobject(name, fields, {
    keyPrefix: prefix,
    createable: false,
    searchable: false,
    layoutable: false,
    total: (org) => rowsOf(org).length,
    ...options,
  });
}
