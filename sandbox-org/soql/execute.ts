import type { Table } from "../data/table";
import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { aggregateRows } from "./aggregate";
import { isAggregate, type FieldPath, type OrderBy, type Query } from "./ast";
import { childrenWriter } from "./children";
import { idRangeOf } from "./id-range";
import { comparable } from "./literal";
import { sortOrdinals } from "./order";
import { compile, type ConditionContext, type Test } from "./predicate";
import { resolve, type Resolved, type Scope } from "./resolve";
import { collect, countMatches, listSource, rangeSource, type RowSource } from "./row-source";
import { assertUnrestricted, readsAll, shownOf } from "./restrictions";
import { rowWriter, type RowWriter } from "./row-writer";
import { shapeOf } from "./select-shape";
import { sameObject, unsupportedType } from "./soql-error";

/** The result of a query. Rows are read and written only when a page is requested. */
export interface RowSet {
  readonly kind: "rows";
  readonly table: Table;
  readonly source: RowSource;
  readonly write: RowWriter;
  readonly start: number;
  readonly totalSize: number;
}

export type Answer =
  | RowSet
  | { readonly kind: "count"; readonly totalSize: number }
  | { readonly kind: "aggregate"; readonly rows: readonly Record<string, Json>[] };

function tableOf(scope: Scope, query: Query): Table {
  const table = scope.database.table(query.from, scope.api);
  if (!table) throw unsupportedType(query.source, query.fromAt, query.from);
  if (!table.object.queryable)
    throw new ApiError(400, "INVALID_TYPE_FOR_OPERATION", `entity type ${table.name} does not support query`);
  return table;
}

function conditionContext(scope: Scope, query: Query, table: Table): ConditionContext {
  return {
    query,
    resolve: (expression) => {
      if (isAggregate(expression)) throw malformed("Aggregates are not allowed in WHERE");
      return resolve(scope, query, table, expression);
    },
    semiJoin: (inner) => semiJoinValues(scope, inner, table),
  };
}

function semiJoinValues(scope: Scope, inner: Query, outer: Table): ReadonlySet<Json> {
  const table = tableOf(scope, inner);
  if (table.name === outer.name) throw sameObject(inner.source, inner.fromAt);
  const [item] = inner.select;
  if (item?.kind !== "field" || inner.select.length !== 1)
    throw malformed("The inner and outer selects of a semi join must have one field");
  const { type, read } = resolve(scope, inner, table, item.field);
  return new Set(collect(sourceOf(scope, inner, table)).map((ordinal) => comparable(type, read(ordinal))));
}

/** Visible records that match the WHERE clause. */
function testOf(scope: Scope, query: Query, table: Table): Test {
  const all = readsAll(scope, table);
  const isShown = shownOf(scope, table);
  const visible: Test = (ordinal) => table.isVisible(ordinal, all) && isShown(ordinal);
  if (query.where === null) return visible;
  const condition = compile(conditionContext(scope, query, table), query.where);
  return (ordinal) => visible(ordinal) && condition(ordinal);
}

/** Matching records in the order of the query, by Id if it has none. */
function sourceOf(scope: Scope, query: Query, table: Table): RowSource {
  const test = testOf(scope, query, table);
  const { low, high, list } = idRangeOf(table, query.where);
  const matching = list?.filter((ordinal) => ordinal >= low && ordinal < high && test(ordinal));
  const [first] = query.orderBy;
  if (first === undefined || isId(first)) {
    const descending = first?.descending === true;
    if (matching) return listSource(descending ? matching.toReversed() : matching);
    return rangeSource(low, Math.max(low, high), descending, test);
  }
  const orders = query.orderBy.map(({ by, descending, nullsFirst }) => ({
    by: orderKey(scope, query, table, by),
    descending,
    nullsFirst,
  }));
  return listSource(sortOrdinals(matching ?? collect(rangeSource(low, Math.max(low, high), false, test)), orders));
}

function isId({ by }: OrderBy): boolean {
  return !isAggregate(by) && by.wrapper === null && by.path.join(".").toLowerCase() === "id";
}

function orderKey(scope: Scope, query: Query, table: Table, by: OrderBy["by"]): Resolved {
  if (isAggregate(by)) throw malformed("Ordering by an aggregate needs GROUP BY");
  return resolve(scope, query, table, by);
}

function isGrouped(query: Query): boolean {
  return query.groupBy.length > 0 || query.select.some(({ kind }) => kind === "aggregate");
}

function isBareCount({ select }: Query): boolean {
  const [item] = select;
  return select.length === 1 && item?.kind === "aggregate" && item.aggregate.of === null;
}

/** Runs a parsed query as far as counting its rows. They are written when a page is requested. */
export function execute(scope: Scope, query: Query): Answer {
  const table = tableOf(scope, query);
  assertUnrestricted(scope, query, table.name);
  const limit = query.limit ?? Infinity;
  if (isBareCount(query)) return { kind: "count", totalSize: countMatches(sourceOf(scope, query, table), limit) };
  if (isGrouped(query)) {
    const ordinals = collect(sourceOf(scope, { ...query, orderBy: [] }, table));
    return {
      kind: "aggregate",
      rows: aggregateRows((path: FieldPath) => resolve(scope, query, table, path), query, ordinals),
    };
  }
  const shape = shapeOf(scope, query, table, (inner, at) =>
    childrenWriter(scope, query, table, inner, at, { sourceOf, shapeOf }),
  );
  const source = sourceOf(scope, query, table);
  const start = skip(source, query.offset);
  const rest: RowSource =
    start === 0 ? source : { ...source, advance: (position) => source.advance(Math.max(position, start)) };
  const totalSize = start < 0 ? 0 : countMatches(rest, limit);
  return {
    kind: "rows",
    table,
    source: rest,
    write: rowWriter(scope, table, shape),
    start: Math.max(0, start),
    totalSize,
  };
}

/** The position after `offset` matches, or -1 if there are fewer. */
function skip(source: RowSource, offset: number): number {
  let position = 0;
  for (let i = 0; i < offset; i++) {
    const found = source.advance(position);
    if (found < 0) return -1;
    position = found + 1;
  }
  return position;
}
