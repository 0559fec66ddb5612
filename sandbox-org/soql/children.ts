import type { Table } from "../data/table";
import type { Json } from "../schema/field";
import type { Query } from "./ast";
import type { Scope } from "./resolve";
import type { RowSource } from "./row-source";
import { rowWriter, type RowWriter, type Shape } from "./row-writer";
import { noSuchRelationship } from "./soql-error";
import { childRelationshipsOf } from "../schema/child-relationships";

interface Engine {
  sourceOf(scope: Scope, query: Query, table: Table): RowSource;
  shapeOf(
    scope: Scope,
    query: Query,
    table: Table,
    children: (inner: Query, at: number) => { name: string; write: RowWriter },
  ): Shape;
}

/** Writes `(SELECT … FROM Contacts)` of a parent. The first parent reads the children of all parents in one scan. */
export function childrenWriter(
  scope: Scope,
  outer: Query,
  parent: Table,
  inner: Query,
  at: number,
  engine: Engine,
): { name: string; write: RowWriter } {
  const relation = childRelationshipsOf(scope.database.tables(scope.api), parent.name).find(
    ({ relationshipName }) => relationshipName.toLowerCase() === inner.from.toLowerCase(),
  );
  const table = relation && scope.database.table(relation.childSObject, scope.api);
  const reference = relation && table?.field(relation.field);
  if (!relation || !table || !reference) throw noSuchRelationship(outer.source, inner.fromAt, inner.from);
  const query: Query = { ...inner, from: table.name };
  const shape = engine.shapeOf(scope, query, table, () => {
    throw noSuchRelationship(outer.source, at, inner.from);
  });
  const write = rowWriter(scope, table, shape);
  let byParent: Map<Json, number[]> | null = null;
  const gather = (): Map<Json, number[]> => {
    const groups = new Map<Json, number[]>();
    const source = engine.sourceOf(scope, query, table);
    for (let position = source.advance(0); position >= 0; position = source.advance(position + 1)) {
      const ordinal = source.ordinalAt(position);
      const id = table.read(reference, ordinal);
      const existing = groups.get(id);
      if (existing) existing.push(ordinal);
      else groups.set(id, [ordinal]);
    }
    return groups;
  };
  return {
    name: relation.relationshipName,
    write: (ordinal) => {
      byParent ??= gather();
      const children = (byParent.get(parent.idAt(ordinal)) ?? []).slice(
        query.offset,
        query.offset + (query.limit ?? Infinity),
      );
      if (children.length === 0) return "null";
      return `{"totalSize":${children.length},"done":true,"records":[${children.map(write).join(",")}]}`;
    },
  };
}
