import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { isAggregate, type Aggregate, type FieldPath, type Query, type SelectItem } from "./ast";
import { comparable } from "./literal";
import { compareValues } from "./order";
import { compile } from "./predicate";
import type { Resolved } from "./resolve";

/** Maximum number of groups in an answer: aggregates have no queryMore. */
const MAX_GROUPS = 2000;
const NUMERIC = new Set(["int", "double", "currency", "percent"]);

type Resolve = (path: FieldPath) => Resolved;

interface Output {
  readonly name: string;
  readonly value: (group: Group) => Json;
}

interface Group {
  readonly ordinals: number[];
}

function reduce(resolve: Resolve, aggregate: Aggregate): (group: Group) => Json {
  if (aggregate.of === null) return (group) => group.ordinals.length;
  const { read, type } = resolve(aggregate.of);
  const values = (group: Group): NonNullable<Json>[] =>
    group.ordinals.flatMap((ordinal) => read(ordinal) ?? []) as NonNullable<Json>[];
  if (aggregate.name === "COUNT") return (group) => values(group).length;
  if (aggregate.name === "COUNT_DISTINCT")
    return (group) => new Set(values(group).map((value) => comparable(type, value))).size;
  if (aggregate.name === "MIN" || aggregate.name === "MAX") {
    const sign = aggregate.name === "MIN" ? 1 : -1;
    return (group) => values(group).toSorted((a, b) => sign * compareValues(a, b))[0] ?? null;
  }
  if (!NUMERIC.has(type))
    throw malformed(`field ${aggregate.of.path.join(".")} does not support aggregate operator ${aggregate.name}`);
  const sum = (group: Group): number => (values(group) as number[]).reduce((total, value) => total + value, 0);
  return aggregate.name === "SUM"
    ? sum
    : (group) => (group.ordinals.length === 0 ? null : sum(group) / values(group).length);
}

function keyOf(path: FieldPath): string {
  return `${path.wrapper ?? ""}(${path.path.join(".").toLowerCase()})`;
}

function outputsOf(resolve: Resolve, query: Query): Output[] {
  const grouped = new Set(query.groupBy.map(keyOf));
  let unnamed = 0;
  return query.select.map((item: SelectItem): Output => {
    if (item.kind === "aggregate") {
      return { name: item.alias ?? `expr${unnamed++}`, value: reduce(resolve, item.aggregate) };
    }
    if (item.kind !== "field") throw malformed("Grouped query cannot use child relationships in the SELECT list");
    if (!grouped.has(keyOf(item.field)))
      throw malformed(`Field must be grouped or aggregated: ${item.field.path.join(".")}`);
    const { read, name } = resolve(item.field);
    const output = item.alias ?? (item.field.wrapper === null ? name : `expr${unnamed++}`);
    return { name: output, value: (group) => read(group.ordinals[0] ?? -1) };
  });
}

/** The rows of a grouped or aggregate query, as AggregateResults. */
export function aggregateRows(resolve: Resolve, query: Query, ordinals: readonly number[]): Record<string, Json>[] {
  const keys = query.groupBy.map((path) => resolve(path));
  for (const { field } of keys) {
    if (field && (field.type === "multipicklist" || !field.filterable)) {
      throw new ApiError(400, "INVALID_FIELD", `field '${field.name}' can not be grouped in a query call`);
    }
  }
  const groups = groupsOf(keys, ordinals);
  const passes = query.having ? having(resolve, query, groups) : null;
  const filtered = passes ? groups.filter((_, i) => passes(i)) : groups;
  const sorted = sortGroups(resolve, query, filtered);
  const outputs = outputsOf(resolve, query);
  const rows = sorted.slice(query.offset, query.offset + (query.limit ?? Infinity));
  if (rows.length > MAX_GROUPS) {
    throw new ApiError(
      400,
      "EXCEEDED_ID_LIMIT",
      "Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch",
    );
  }
  return rows.map((group) => ({
    attributes: { type: "AggregateResult" },
    ...Object.fromEntries(outputs.map(({ name, value }) => [name, value(group)])),
  }));
}

function groupsOf(keys: readonly Resolved[], ordinals: readonly number[]): Group[] {
  if (keys.length === 0) return [{ ordinals: [...ordinals] }];
  const groups = new Map<string, Group>();
  for (const ordinal of ordinals) {
    const key = JSON.stringify(keys.map(({ type, read }) => comparable(type, read(ordinal))));
    const existing = groups.get(key);
    if (existing) existing.ordinals.push(ordinal);
    else groups.set(key, { ordinals: [ordinal] });
  }
  return [...groups.values()];
}

function having(resolve: Resolve, query: Query, groups: readonly Group[]): (index: number) => boolean {
  const names = {
    query,
    semiJoin: (): never => {
      throw malformed("Semi joins are not allowed in HAVING");
    },
    resolve: (expression: FieldPath | Aggregate): Resolved => {
      if (!isAggregate(expression)) {
        const inner = resolve(expression);
        return { ...inner, read: (index) => inner.read(groups[index]?.ordinals[0] ?? -1) };
      }
      const value = reduce(resolve, expression);
      const type = expression.name === "COUNT" || expression.name === "COUNT_DISTINCT" ? "int" : "double";
      return { type, field: null, name: expression.name, read: (index) => value(groups[index] ?? { ordinals: [] }) };
    },
  };
  return compile(names, query.having ?? { kind: "and", parts: [] });
}

function sortGroups(resolve: Resolve, query: Query, groups: readonly Group[]): readonly Group[] {
  const orders = query.orderBy.map(({ by, descending, nullsFirst }) => {
    const value = isAggregate(by)
      ? reduce(resolve, by)
      : (group: Group): Json => resolve(by).read(group.ordinals[0] ?? -1);
    return { value, descending, nullsFirst };
  });
  if (orders.length === 0) return groups;
  return groups.toSorted((a, b) => {
    for (const { value, descending, nullsFirst } of orders) {
      const result = compareValues(value(a), value(b), descending, nullsFirst);
      if (result !== 0) return result;
    }
    return 0;
  });
}
