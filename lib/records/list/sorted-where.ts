import { MAX_LIMIT } from "@/lib/input/limits";
import type { ListRequest } from "@/lib/records/list/list-input";
import { keyColumns, MAX_SORTED, orderOf, sortKey } from "@/lib/records/list/list-order";
import type { Entity } from "@/lib/records/schema/entity";

/** Which records a list selects, in SQL. */
export interface Selection {
  organization: string;
  conditions: readonly string[];
  /** The condition for what lies behind the cursor of a sorted list. */
  behind: ((key: string) => string) | undefined;
  /** The table with all conditions but that. */
  from: string;
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
  { organization, behind, from }: Omit<Selection, "conditions">,
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
