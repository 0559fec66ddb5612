import type { Table } from "../data/table";
import { DAY, ORG_NOW } from "../generator/clock";
import { to18 } from "../generator/ids";
import { isAggregate, type Comparison, type Condition } from "./ast";

/** The ordinals that the conditions on indexed fields select: a range, and possibly a list within it. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
  readonly list: readonly number[] | null;
}

function conjuncts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return [];
  return condition.kind === "and" ? condition.parts.flatMap(conjuncts) : [condition];
}

function isOn(field: string, condition: Condition): condition is Comparison {
  return (
    condition.kind === "comparison" &&
    !isAggregate(condition.field) &&
    condition.field.path.join(".").toLowerCase() === field &&
    condition.semiJoin === null
  );
}

/** Nothing that was generated was changed after this. */
const GENERATED_BEFORE = ORG_NOW + DAY;

/** As an index of SystemModstamp, which Salesforce has: whether only records that were changed since can match. */
function selectsChanges({ operator, values }: Comparison): boolean {
  const [value] = values;
  return (operator === ">" || operator === ">=") && value?.kind === "datetime"
    ? Date.parse(value.value) > GENERATED_BEFORE
    : false;
}

/**
 * Reads conditions such as `Id > 'x'` and `SystemModstamp >= …`, so that a page is found without reading the rows
 * before it.
 */
export function idRangeOf(table: Table, where: Condition | null): IdRange {
  let range: IdRange = { low: 0, high: table.size, list: null };
  if (table.object.keyPrefix === null) return range;
  for (const condition of conjuncts(where)) {
    if (isOn("id", condition)) range = narrow(table, range, condition);
    else if (isOn("systemmodstamp", condition) && selectsChanges(condition) && range.list === null)
      range = { ...range, list: [...table.overlay.patches.keys()].toSorted((a, b) => a - b) };
  }
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
