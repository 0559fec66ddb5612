import type { Table } from "../data/table";
import { to18 } from "../generator/ids";
import { isAggregate, type Comparison, type Condition } from "./ast";

/** The ordinals that the conditions on Id select: a range, and possibly a list within it. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
  readonly list: readonly number[] | null;
}

function conjuncts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return [];
  return condition.kind === "and" ? condition.parts.flatMap(conjuncts) : [condition];
}

function isOnId(condition: Condition): condition is Comparison {
  return (
    condition.kind === "comparison" &&
    !isAggregate(condition.field) &&
    condition.field.path.join(".").toLowerCase() === "id" &&
    condition.semiJoin === null
  );
}

/** Reads conditions such as `Id > 'x'`, so that a keyset page is found without reading the rows before it. */
export function idRangeOf(table: Table, where: Condition | null): IdRange {
  let range: IdRange = { low: 0, high: table.size, list: null };
  if (table.object.keyPrefix === null) return range;
  for (const condition of conjuncts(where)) if (isOnId(condition)) range = narrow(table, range, condition);
  return range;
}

function narrow(table: Table, range: IdRange, { operator, values }: Comparison): IdRange {
  const ids = values.flatMap((value) =>
    value.kind === "string" && value.value.length >= 15 ? [to18(value.value)] : [],
  );
  const [id] = ids;
  if (id === undefined) return range;
  switch (operator) {
    case ">":
      return { ...range, low: Math.max(range.low, table.after(id, false)) };
    case ">=":
      return { ...range, low: Math.max(range.low, table.after(id, true)) };
    case "<":
      return { ...range, high: Math.min(range.high, table.after(id, true)) };
    case "<=":
      return { ...range, high: Math.min(range.high, table.after(id, false)) };
    case "=":
    case "IN": {
      const found = [...new Set(ids.map((one) => table.find(one)))].filter((ordinal) => ordinal >= 0);
      return { ...range, list: found.toSorted((a, b) => a - b) };
    }
    default:
      return range;
  }
}
