import { MAXIMUM_LIMIT } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import { changeBounds, idBounds } from "@/lib/records/list-bounds";
import type { ListRequest } from "@/lib/records/list-input";
import { isWhole, orderOf, selectPage } from "@/lib/records/list-page";
import { matches } from "@/lib/records/search";

export interface ListStatement {
  /** A named statement is planned once per connection, so their number is bounded. */
  name?: string;
  text: string;
  values: unknown[];
}

type Bind = (value: unknown) => string;

/**
 * The query of a list, whose one row is the page: its records as text, what the cursor is made of, how many were found (one too many, if there
 * are more), the page's tag and the total. $1 is the organization and $3 one more than the limit. The last value, of a whole page alone, is for the tag
 * of that page as the caller has it: its records are null if they have not changed.
 */
export function listStatement(entity: Entity, organizationId: string, request: ListRequest): ListStatement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `organization_id = ${bind(organizationId)}`;
  const position = positionOf(request, bind);
  const filters = filtersOf(request, bind);
  const words = request.q === undefined ? undefined : matches(entity, bind(request.q));
  const conditions = [organization, ...position, ...filters];
  const sourced = (wanted: readonly string[]) => sourceOf(entity, request, wanted, words);
  const where = words === undefined ? conditions.join(" AND ") : `${organization} AND ${isFound(entity, request, sourced(conditions))}`;
  const total = request.total ? `, (SELECT count(*) FROM ${sourced([organization, ...rangesOf(request, bind), ...filters])})` : "";
  const name = nameOf(entity, request);
  const tag = isWhole(request) ? bind(null) : "";
  return { ...(name !== undefined && { name }), text: selectPage(entity, request, { where, total, tag }), values };
}

/** The one range of an index in which the rest of the list lies. The newest records need no lower end. */
function positionOf({ position, order, created, limit }: ListRequest, bind: Bind): string[] {
  if (position.by === "created") {
    const { above, below } = idBounds(created, order, position.cursor);
    const conditions = [`id < ${bind(below)}`];
    bind(limit + 1);
    return isBounded(order, created) ? [...conditions, `id > ${bind(above)}`] : conditions;
  }
  const { above, below } = changeBounds(position.range, order, position.cursor);
  const time = bind(below[0]);
  bind(limit + 1);
  const range = [`(updated_at, id) < (${time}, ${bind(below[1])})`, `(updated_at, id) > (${bind(above[0])}, ${bind(above[1])})`];
  return created ? [...range, ...createdIn(created, bind)] : range;
}

/** The whole list's ranges, wherever the cursor is. */
function rangesOf({ position, created }: ListRequest, bind: Bind): string[] {
  const conditions = created ? createdIn(created, bind) : [];
  if (position.by === "created") return conditions;
  const { above, below } = changeBounds(position.range, "asc");
  const [from, to] = [above, below].map(([time, id]) => `(${bind(time)}, ${bind(id)})`);
  return [...conditions, `(updated_at, id) > ${from}`, `(updated_at, id) < ${to}`];
}

function createdIn(created: NonNullable<ListRequest["created"]>, bind: Bind): string[] {
  const { above, below } = idBounds(created, "asc");
  return [`id > ${bind(above)}`, `id < ${bind(below)}`];
}

function filtersOf({ filters }: ListRequest, bind: Bind): string[] {
  return Object.keys(filters)
    .toSorted()
    .map((name) => `"${name}" = ${bind(filters[name])}`);
}

/**
 * The table with its conditions. Of a search that nothing narrows the words come first and alone (`OFFSET 0` keeps the rest out): their index is the only
 * one that can serve it, where PostgreSQL would at times read the whole organization, and take each text apart (150,000 contacts: 5 s and not 0.3 s).
 */
function sourceOf({ resource }: Entity, request: ListRequest, conditions: readonly string[], words: string | undefined): string {
  if (words === undefined) return `${resource} WHERE ${conditions.join(" AND ")}`;
  if (!isSearchAlone(request)) return `${resource} WHERE ${[...conditions, words].join(" AND ")}`;
  return `(SELECT organization_id, id, updated_at FROM ${resource} WHERE ${words} OFFSET 0) AS matching WHERE ${conditions.join(" AND ")}`;
}

/**
 * What is searched for is found first, all of it: PostgreSQL cannot know how rare a word is, and might walk through every record from the newest on
 * to find a page of them.
 */
function isFound(entity: Entity, request: ListRequest, from: string): string {
  const found = `WITH found AS MATERIALIZED (SELECT id, updated_at FROM ${from})`;
  return `id = ANY (ARRAY(${found} SELECT id FROM found${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}))`;
}

function isSearchAlone({ q, filters, position, created }: ListRequest): boolean {
  return q !== undefined && position.by === "created" && created === undefined && Object.keys(filters).length === 0;
}

function isBounded(order: ListRequest["order"], created: ListRequest["created"]): boolean {
  return order === "asc" || created !== undefined;
}

/** Only what is asked for again and again has a name: a list in each order, and the newest records by one filter. */
function nameOf(entity: Entity, request: ListRequest): string | undefined {
  if (request.q !== undefined || request.total || request.fields || request.expand) return undefined;
  const filters = Object.keys(request.filters);
  const order = orderName(request);
  const isFrequent = order === undefined ? filters.length <= 1 : filters.length === 0 && !(request.position.by === "updated" && request.created);
  return isFrequent ? ["list", entity.resource, ...(order ?? []), ...filters].join(" ") : undefined;
}

/** Undefined for the order that has no range: newest first. */
function orderName({ position, order, created }: ListRequest): string[] | undefined {
  if (position.by === "updated") return ["changed", order];
  return isBounded(order, created) ? ["bounded", order] : undefined;
}
