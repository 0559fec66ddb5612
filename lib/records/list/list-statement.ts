import { MAX_UUID, MIN_UUID, minIdAt } from "@/lib/ids";
import { MAX_LIMIT } from "@/lib/input/limits";
import type { ListRequest, TimeRange } from "@/lib/records/list/list-input";
import { behindCursor, MAX_SORTED, orderOf, sortKey } from "@/lib/records/list/list-order";
import { matchingRecords, searchCondition } from "@/lib/records/list/search-condition";
import {
  type MergedFilter,
  mergedFilter,
  mergedWhere,
  type Selection,
  sortedWhere,
} from "@/lib/records/list/list-where";
import type { Entity } from "@/lib/records/schema/entity";
import {
  type Bind,
  MAX_SMALL_BYTES,
  maxBytesOfView,
  selectAtOnce,
  selectView,
  selectWithinBytes,
} from "@/lib/records/schema/record-sql";
import type { View } from "@/lib/records/schema/view";

interface ListTexts {
  text: string;
  /** The query of the page's tag alone, with the same values, if the page can be cached. */
  tagText?: string;
  /** The same query for a list with a name, whose records are null unless the page is small. */
  smallText?: string;
}

export interface ListStatement extends ListTexts {
  /** The name of a frequent list. A named statement is planned once per connection, so their number is bounded. */
  name?: string;
  values: unknown[];
}

/** Name, which tells all that a text depends on → texts. Composing them takes a hundredth of the time of a list. */
const textsByName = new Map<string, ListTexts>();

/** Beside the organization, the only parameter that the SQL names. Further ones are numbered as they are bound. */
export const LIMIT = "$3";

/**
 * The query of a list. Its one row is the page: the records as text, the cursor, whether there are more, the page's tag
 * and the total. $1 is the organization, $2 the bound of the ids, and $3 the limit plus one. Records are null where
 * they may be too large; then the page is requested as a `large` one.
 */
export function listStatement(
  entity: Entity,
  organizationId: string,
  request: ListRequest,
  isLarge = false,
): ListStatement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `organization_id = ${bind(organizationId)}`;
  const position = positionOf(request, bind);
  const behind = request.cursorKey === undefined ? undefined : behindCursor(entity, request, bind);
  const merged = hasSeveral(request) ? mergedFilter(entity, request, bind) : undefined;
  const filters = filtersOf(request, bind, merged);
  const searched = request.q === undefined ? undefined : searchCondition(entity, request.q, bind);
  const conditions = [organization, ...position, ...filters];
  const sourced = (wanted: readonly string[]) => sourceOf(entity, request, wanted, searched);
  const where = whereOf(entity, request, { organization, conditions, behind, from: sourced(conditions), merged });
  const total = request.total
    ? `, (SELECT count(*) FROM ${sourced([organization, ...createdIn(request, bind), ...filters])})`
    : "";
  if (isLarge) return { text: selectLargePage(entity, request, { where, total }), values };
  const name = nameOf(entity, request);
  // A total can change while the page does not.
  const isCacheable = isTaggable(request) && !request.total;
  const compose = (): ListTexts => ({
    text: selectPage(entity, request, { where, total }),
    ...(isCacheable && { tagText: selectTag(entity, request, where) }),
    ...(name !== undefined && { smallText: selectPage(entity, request, { where, total }, true) }),
  });
  if (name === undefined) return { ...compose(), values };
  const texts = textsByName.get(name) ?? compose();
  textsByName.set(name, texts);
  return { name, ...texts, values };
}

/**
 * The range of ids in which the rest of the list lies; of a list that is sorted otherwise, all of it. The newest
 * records need no lower bound.
 */
export function positionOf({ sort, order, cursor, created, limit }: ListRequest, bind: Bind): string[] {
  const { above, below } = idBounds(created, order, sort === undefined ? cursor : undefined);
  const conditions = [`id < ${bind(below)}`];
  bind(limit + 1);
  return isBounded(sort === undefined ? order : "desc", created) ? [...conditions, `id > ${bind(above)}`] : conditions;
}

/** Whether the list has a lower bound of its ids. */
function isBounded(order: ListRequest["order"], created: ListRequest["created"]): boolean {
  return order === "asc" || created !== undefined;
}

/** The ranges of creation times alone, which a total counts whatever the cursor. */
function createdIn({ created }: ListRequest, bind: Bind): string[] {
  if (!created) return [];
  const { above, below } = idBounds(created, "asc");
  return [`id > ${bind(above)}`, `id < ${bind(below)}`];
}

/** The filters, the range of changes and the given ids. */
export function filtersOf({ filters, changed, ids }: ListRequest, bind: Bind, merged?: MergedFilter): string[] {
  const filterOf = (name: string, value: unknown) =>
    Array.isArray(value) ? `"${name}" = ANY (${bind(value)})` : `"${name}" = ${bind(value)}`;
  const equal = [
    ...Object.keys(filters)
      .toSorted()
      .map((name) => (name === merged?.name ? merged.condition : filterOf(name, filters[name]))),
    ...(ids ? [`id = ANY (${bind(ids)}::uuid[])`] : []),
  ];
  if (!changed) return equal;
  const { from = -Infinity, before = Infinity } = changed;
  return [...equal, `updated_at >= ${bind(timestampText(from))}`, `updated_at < ${bind(timestampText(before))}`];
}

/** Bounds of ids, both exclusive. */
interface IdBounds {
  above: string;
  below: string;
}

/**
 * A range of creation times is a range of ids, and so is the rest of a list behind its cursor. This is both combined.
 */
function idBounds(created: TimeRange | undefined, order: ListRequest["order"], cursor?: string): IdBounds {
  const above = created?.from === undefined ? MIN_UUID : justBelow(minIdAt(new Date(created.from)));
  const below = created?.before === undefined ? MAX_UUID : minIdAt(new Date(created.before));
  if (cursor === undefined) return { above, below };
  return order === "asc"
    ? { above: cursor > above ? cursor : above, below }
    : { above, below: cursor < below ? cursor : below };
}

/** The greatest UUID below the lowest id of a millisecond. */
function justBelow(lowest: string): string {
  return `${lowest.slice(0, 19)}7fff-ffffffffffff`;
}

const YEAR_ONE = Date.parse("0001-01-01T00:00:00Z");

const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** A time for PostgreSQL. Beyond the years that ISO 8601 writes with four digits there are no records. */
function timestampText(milliseconds: number): string {
  if (milliseconds < YEAR_ONE) return "-infinity";
  return milliseconds < YEAR_10000 ? new Date(milliseconds).toISOString() : "infinity";
}

function whereOf(entity: Entity, request: ListRequest, selection: Selection): string {
  const { organization, conditions, from, merged } = selection;
  if (merged) return mergedWhere(entity, request, merged, selection);
  if (request.sort !== undefined) return sortedWhere(entity, { ...request, sort: request.sort }, selection);
  if (request.q !== undefined) return `${organization} AND ${foundCondition(entity, request, from)}`;
  return request.changed ? `${organization} AND ${changedCondition(entity, request, from)}` : conditions.join(" AND ");
}

/** The table with its conditions. */
export function sourceOf(
  entity: Entity,
  request: ListRequest,
  conditions: readonly string[],
  words: string | undefined,
): string {
  const { resource } = entity;
  if (words === undefined) return `${resource} WHERE ${conditions.join(" AND ")}`;
  if (!isSearchAlone(request)) return `${resource} WHERE ${[...conditions, words].join(" AND ")}`;
  return `${matchingRecords(entity, words)} WHERE ${conditions.join(" AND ")}`;
}

/**
 * A search first finds all matches. PostgreSQL cannot know how rare a word is, and might scan every record from the
 * newest on to find a page of them.
 */
function foundCondition(entity: Entity, request: ListRequest, from: string): string {
  const found = `WITH found AS MATERIALIZED (SELECT id FROM ${from})`;
  return `id = ANY (ARRAY(${found} SELECT id FROM found${pageOf(entity, request)}))`;
}

/**
 * Changed records have one order and the list another. Where they are few, all are found by the time of their change
 * and sorted; where they are many, records are scanned by id. PostgreSQL cannot choose: it knows only how many records
 * of all organizations changed, and would scan a million to find one.
 */
function changedCondition(entity: Entity, request: ListRequest, from: string): string {
  const few = `WITH few AS MATERIALIZED (SELECT id FROM ${from} ORDER BY updated_at
    LIMIT ${MAX_SORTED + 1}), size AS MATERIALIZED (SELECT count(*) AS n FROM few)`;
  const sorted = `SELECT id FROM few WHERE (SELECT n FROM size) <= ${MAX_SORTED}${pageOf(entity, request)}`;
  const walked = `SELECT id FROM ${from} AND (SELECT n FROM size) > ${MAX_SORTED}${pageOf(entity, request)}`;
  return `id = ANY (ARRAY(${few} (${sorted}) UNION ALL (${walked})))`;
}

function pageOf(entity: Entity, request: ListRequest): string {
  return `${orderOf(entity, request)} LIMIT ${MAX_LIMIT + 1}`;
}

function isSearchAlone({ q, filters, created, changed }: ListRequest): boolean {
  return q !== undefined && !created && !changed && Object.keys(filters).length === 0;
}

interface PageParts {
  where: string;
  total: string;
}

/** Whether a page has a tag: it shows every field of each record and nothing else, and its tag is cheap. */
function isTaggable({ changed, fields, expand }: ListRequest): boolean {
  return !changed && !fields && !expand;
}

/**
 * The query of a page of the records that `where` selects. The aggregates take the rows in the page's order. Records
 * are null where they may be too large to be written at once ({@link selectAtOnce}), or too large for a small page.
 */
function selectPage(entity: Entity, request: ListRequest, { where, total }: PageParts, isSmall = false): string {
  const tag = isTaggable(request) ? TAG : "NULL";
  const bounds = {
    maxRowBytes: maxBytesOfView(entity, request, "page", isSmall),
    ...(isSmall && { maxBytes: MAX_SMALL_BYTES }),
  };
  const page = selectAtOnce(pageColumnsOf(entity, request), rowsOf(entity, request, where), "page.id", bounds, [
    `${tag} AS tag`,
  ]);
  return `SELECT records, last, has_more, tag${total} FROM (${page}) AS page`;
}

/**
 * The tag of a page identifies the version of each row on it: `xmin` is the transaction that wrote the row (PostgreSQL
 * manual §5.6). Its number means something else after a restore or on another server, hence the server's start. Joining
 * bytes takes half the time of joining texts.
 */
const TAG = "md5(timestamptz_send(pg_postmaster_start_time()) || string_agg(uuid_send(id) || xidsend(xmin), ''))";

/**
 * The query of a page's tag alone, which is enough where the page with this tag is cached. It takes a quarter of the
 * work, because no node of the plan passes whole rows on.
 */
function selectTag(entity: Entity, request: ListRequest, where: string): string {
  return `SELECT ${TAG} FROM (${rowsOf(entity, request, where, "id")}) AS page`;
}

/** The query of a page that is too large for {@link selectPage}, with the same columns. */
function selectLargePage(entity: Entity, request: ListRequest, { where, total }: PageParts): string {
  const large = selectWithinBytes(pageColumnsOf(entity, request), rowsOf(entity, request, where), "page.id");
  return `SELECT records, last, has_more, NULL AS tag${total} FROM (${large}) AS large`;
}

/**
 * The rows of the page, and one more. The constant limit inside tells the planner that only a page is needed; with a
 * parameter it would expect a tenth of the table, and might sort it.
 */
function rowsOf(entity: Entity, request: ListRequest, where: string, columns = "*"): string {
  const { sort } = request;
  const shown = sort === undefined ? columns : `${columns}, ${sortKey(entity, sort)} AS sorted_by`;
  const order = orderOf(entity, request);
  const next = `SELECT xmin, ${shown} FROM ${entity.resource} WHERE ${where}${order} LIMIT ${MAX_LIMIT + 1}`;
  return `SELECT * FROM (${next}) AS next${orderOf(entity, request, "sorted_by")} LIMIT ${LIMIT}`;
}

function pageColumnsOf(entity: Entity, view: View) {
  return {
    columns: selectView(entity, view, "page"),
    json: "row_to_json(record)::text",
    limit: `${LIMIT} - 1`,
  };
}

/**
 * Only frequent lists have a name: a list in each order, and the newest records by one filter. Changes in a range of
 * time are planned each time: with a plan for any range, PostgreSQL might scan all records.
 */
function nameOf(entity: Entity, request: ListRequest): string | undefined {
  if (request.q !== undefined || request.total || !isTaggable(request)) return undefined;
  if (request.sort !== undefined) return nameOfSorted(entity, request);
  if (hasSeveral(request)) return undefined;
  const filters = Object.keys(request.filters);
  const bounded = isBounded(request.order, request.created) ? ["bounded", request.order] : [];
  const isFrequent = filters.length <= (bounded.length === 0 ? 1 : 0);
  return isFrequent ? ["list", entity.resource, ...bounded, ...filters].join(" ") : undefined;
}

/** Whether a filter has several values. */
function hasSeveral({ filters }: ListRequest): boolean {
  return Object.values(filters).some(Array.isArray);
}

function nameOfSorted({ resource }: Entity, request: ListRequest): string | undefined {
  const { sort = "", order, cursor, filters, created } = request;
  if (created || Object.keys(filters).length > 0) return undefined;
  return ["list", resource, "sorted", sort, order, cursor === undefined ? "first" : "next"].join(" ");
}
