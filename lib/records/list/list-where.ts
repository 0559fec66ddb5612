import { MAX_LIMIT } from "@/lib/input/limits";
import type { ListRequest } from "@/lib/records/list/list-input";
import { keyColumns, MAX_SORTED, orderOf, sortKey } from "@/lib/records/list/list-order";
import type { Entity } from "@/lib/records/schema/entity";
import type { Bind } from "@/lib/records/schema/record-sql";

/** Which records a list selects, in SQL. */
export interface Selection {
  organization: string;
  conditions: readonly string[];
  /** The condition for what lies behind the cursor of a sorted list. */
  behind: ((key: string) => string) | undefined;
  /** The table with all conditions but that. */
  from: string;
  merged: MergedFilter | undefined;
}

/**
 * SQL: the condition of a page that is not sorted by creation. By itself such a list is one range of its index. Where
 * something narrows it, the first matches are found by the index of that: if these are all, they are sorted; if there
 * are more, a scan in the list's order soon finds a page of them. Those of a search are all found and sorted.
 */
export function sortedWhere(
  entity: Entity,
  request: ListRequest & { sort: string },
  { organization, conditions, behind, from }: Selection,
): string {
  const { resource } = entity;
  const key = sortKey(entity, request.sort);
  const inOrder = [...conditions, ...(behind ? [behind(key)] : [])].join(" AND ");
  if (isRange(request)) return inOrder;
  if (request.q !== undefined) {
    const next = sortedFound(entity, request, { organization, behind, from }, "id");
    return `${organization} AND id = ANY (ARRAY(${next} LIMIT ${MAX_LIMIT + 1}))`;
  }
  const rest = behind ? behind("key") : "TRUE";
  const page = (by: string) => `${orderOf(entity, request, by)} LIMIT ${MAX_LIMIT + 1}`;
  const columns = ["id", ...keyColumns(entity, request.sort)].join(", ");
  const few = `few AS MATERIALIZED (SELECT ${columns} FROM ${from} LIMIT ${MAX_SORTED + 1})`;
  const size = "size AS MATERIALIZED (SELECT count(*) AS n FROM few)";
  const keyed = `SELECT id, ${key} AS key FROM few WHERE (SELECT n FROM size) <= ${MAX_SORTED}`;
  const sorted = `SELECT id FROM (${keyed}) AS keyed WHERE ${rest}${page("key")}`;
  const walked = `SELECT id FROM ${resource} WHERE ${inOrder} AND (SELECT n FROM size) > ${MAX_SORTED}${page(key)}`;
  return `${organization} AND id = ANY (ARRAY(WITH ${few}, ${size} (${sorted}) UNION ALL (${walked})))`;
}

/**
 * SQL: what a search finds behind the cursor, in the list's order. `columns` are of `id` and `key`, by which the list
 * is sorted.
 */
export function sortedFound(
  entity: Entity,
  request: ListRequest & { sort: string },
  { organization, behind, from }: Pick<Selection, "organization" | "behind" | "from">,
  columns: string,
): string {
  const found = `found AS MATERIALIZED (SELECT id FROM ${from})`;
  const keyed = `SELECT r.id, ${sortKey(entity, request.sort, "r.")} AS key FROM found
      JOIN ${entity.resource} AS r ON r.${organization} AND r.id = found.id`;
  const rest = behind ? behind("key") : "TRUE";
  return `WITH ${found} SELECT ${columns} FROM (${keyed}) AS keyed WHERE ${rest}${orderOf(entity, request, "key")}`;
}

/** Whether the list is one range of the index that it is sorted by. */
function isRange({ sort, q, filters, created, changed }: ListRequest): boolean {
  return q === undefined && !created && (!changed || sort === "updated_at") && Object.keys(filters).length === 0;
}

/** A filter by several values, each of which is a range of an index in the list's order. */
export interface MergedFilter {
  name: string;
  /** SQL: the values, as an array. */
  values: string;
  condition: string;
}

/**
 * The filter whose ranges a list in the order of creation merges: the first one with several values. Lists in other
 * orders and searches find their matches first, in whichever order.
 */
export function mergedFilter(entity: Entity, request: ListRequest, bind: Bind): MergedFilter | undefined {
  const { sort, q, changed, filters } = request;
  if (sort !== undefined || q !== undefined || changed) return undefined;
  const name = Object.keys(filters).find((each) => Array.isArray(filters[each]));
  if (name === undefined) return undefined;
  const values = `${bind(filters[name])}::${entity.fields[name]?.sqlType}[]`;
  return { name, values, condition: `"${name}" = ANY (${values})` };
}

/**
 * SQL: the condition of a page of a {@link mergedFilter}: a page of each value is read, and the first of all of them
 * stay. By `= ANY` alone PostgreSQL would sort all matches, or walk through all records for a rare value.
 */
export function mergedWhere(
  entity: Entity,
  request: ListRequest,
  { name, values, condition }: MergedFilter,
  { organization, conditions }: Pick<Selection, "organization" | "conditions">,
): string {
  const page = `${orderOf(entity, request)} LIMIT ${MAX_LIMIT + 1}`;
  const others = conditions.filter((each) => each !== condition);
  const range = `SELECT id FROM ${entity.resource} WHERE ${others.join(" AND ")} AND "${name}" = one.value${page}`;
  return `${organization} AND id = ANY (ARRAY(SELECT id FROM unnest(${values}) AS one(value)
    CROSS JOIN LATERAL (${range}) AS next${page}))`;
}
