import { MAXIMUM_LIMIT } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import { idBounds, timestampOf } from "@/lib/records/list-bounds";
import type { ListRequest } from "@/lib/records/list-input";
import { isWhole, orderOf, selectLargePage, selectPage, selectTag } from "@/lib/records/list-page";
import { matches } from "@/lib/records/search";

interface Texts {
  text: string;
  /** Of a page that can be kept: the query for its tag alone, with the same values. */
  tagText?: string;
}

export interface ListStatement extends Texts {
  /** A named statement is planned once per connection, so their number is bounded. */
  name?: string;
  values: unknown[];
}

/** By name, which says all that a text depends on: writing them is a hundredth of what a list costs. */
const named = new Map<string, Texts>();

type Bind = (value: unknown) => string;

/**
 * The query of a list, whose one row is the page: its records as text, what the cursor is made of, whether there are more, the page's tag and the total.
 * $1 is the organization and $3 one more than the limit. The records are null where they may be too large: then the page is asked for as a `large` one.
 */
export function listStatement(entity: Entity, organizationId: string, request: ListRequest, isLarge = false): ListStatement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `organization_id = ${bind(organizationId)}`;
  const position = positionOf(request, bind);
  const filters = filtersOf(request, bind);
  const words = request.q === undefined ? undefined : matches(entity, bind(request.q));
  const conditions = [organization, ...position, ...filters];
  const sourced = (wanted: readonly string[]) => sourceOf(entity, request, wanted, words);
  const where = whereOf(entity, request, { organization, conditions, from: sourced(conditions) });
  const total = request.total ? `, (SELECT count(*) FROM ${sourced([organization, ...createdIn(request, bind), ...filters])})` : "";
  if (isLarge) return { text: selectLargePage(entity, request, { where, total }), values };
  const name = nameOf(entity, request);
  // A total can change while the page does not.
  const isKept = isWhole(request) && !request.total;
  const write = (): Texts => ({ text: selectPage(entity, request, { where, total }), ...(isKept && { tagText: selectTag(entity, request, where) }) });
  if (name === undefined) return { ...write(), values };
  const texts = named.get(name) ?? write();
  named.set(name, texts);
  return { name, ...texts, values };
}

function whereOf(
  entity: Entity,
  request: ListRequest,
  { organization, conditions, from }: { organization: string; conditions: readonly string[]; from: string },
): string {
  if (request.q !== undefined) return `${organization} AND ${isFound(entity, request, from)}`;
  return request.changed ? `${organization} AND ${isChanged(entity, request, from)}` : conditions.join(" AND ");
}

/** The one range of an index in which the rest of the list lies. The newest records need no lower end. */
function positionOf({ order, cursor, created, limit }: ListRequest, bind: Bind): string[] {
  const { above, below } = idBounds(created, order, cursor);
  const conditions = [`id < ${bind(below)}`];
  bind(limit + 1);
  return isBounded(order, created) ? [...conditions, `id > ${bind(above)}`] : conditions;
}

function createdIn({ created }: ListRequest, bind: Bind): string[] {
  if (!created) return [];
  const { above, below } = idBounds(created, "asc");
  return [`id > ${bind(above)}`, `id < ${bind(below)}`];
}

function filtersOf({ filters, changed }: ListRequest, bind: Bind): string[] {
  const equal = Object.keys(filters)
    .toSorted()
    .map((name) => `"${name}" = ${bind(filters[name])}`);
  if (!changed) return equal;
  const { from = -Infinity, before = Infinity } = changed;
  return [...equal, `updated_at >= ${bind(timestampOf(from))}`, `updated_at < ${bind(timestampOf(before))}`];
}

/**
 * The table with its conditions. Of a search that nothing narrows the words come first and alone (`OFFSET 0` keeps the rest out): their index is the only
 * one that can serve it, where PostgreSQL would at times read the whole organization, and take each text apart (150,000 contacts: 5 s and not 0.3 s).
 */
function sourceOf({ resource }: Entity, request: ListRequest, conditions: readonly string[], words: string | undefined): string {
  if (words === undefined) return `${resource} WHERE ${conditions.join(" AND ")}`;
  if (!isSearchAlone(request)) return `${resource} WHERE ${[...conditions, words].join(" AND ")}`;
  return `(SELECT organization_id, id FROM ${resource} WHERE ${words} OFFSET 0) AS matching WHERE ${conditions.join(" AND ")}`;
}

/**
 * What is searched for is found first, all of it: PostgreSQL cannot know how rare a word is, and might walk through every record from the newest on
 * to find a page of them.
 */
function isFound(entity: Entity, request: ListRequest, from: string): string {
  const found = `WITH found AS MATERIALIZED (SELECT id FROM ${from})`;
  return `id = ANY (ARRAY(${found} SELECT id FROM found${pageOf(entity, request)}))`;
}

/** How many changed records are sorted for a page: a hundredth of a second's work. Of more than that, the walk by id soon comes by a page. */
const FEW = 5_000;

/**
 * The changed records lie in one order and the list has another. Where they are few, all are found by the time of their change and sorted; where they are many, the records are walked by id.
 * PostgreSQL cannot know which it is: it knows how many records of all organizations changed in a time, and would walk through a million for one.
 */
function isChanged(entity: Entity, request: ListRequest, from: string): string {
  const few = `WITH few AS MATERIALIZED (SELECT id FROM ${from} ORDER BY updated_at LIMIT ${FEW + 1}), size AS MATERIALIZED (SELECT count(*) AS n FROM few)`;
  const sorted = `SELECT id FROM few WHERE (SELECT n FROM size) <= ${FEW}${pageOf(entity, request)}`;
  const walked = `SELECT id FROM ${from} AND (SELECT n FROM size) > ${FEW}${pageOf(entity, request)}`;
  return `id = ANY (ARRAY(${few} (${sorted}) UNION ALL (${walked})))`;
}

function pageOf(entity: Entity, request: ListRequest): string {
  return `${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}`;
}

function isSearchAlone({ q, filters, created, changed }: ListRequest): boolean {
  return q !== undefined && !created && !changed && Object.keys(filters).length === 0;
}

function isBounded(order: ListRequest["order"], created: ListRequest["created"]): boolean {
  return order === "asc" || created !== undefined;
}

/**
 * Only what is asked for again and again has a name: a list in each order, and the newest records by one filter. What changed in a time is planned anew each
 * time: by a plan for any time PostgreSQL might walk through all records.
 */
function nameOf(entity: Entity, request: ListRequest): string | undefined {
  if (request.q !== undefined || request.changed || request.total || request.fields || request.expand) return undefined;
  const filters = Object.keys(request.filters);
  const bounded = isBounded(request.order, request.created) ? ["bounded", request.order] : [];
  const isFrequent = filters.length <= (bounded.length === 0 ? 1 : 0);
  return isFrequent ? ["list", entity.resource, ...bounded, ...filters].join(" ") : undefined;
}
