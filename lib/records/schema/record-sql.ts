import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Expansion, View } from "@/lib/records/schema/view";

export interface Column {
  name: string;
  /** As PostgreSQL takes it in a column definition list: `numeric(18,2)`, `case_status`. */
  sqlType: string;
  references?: Field["references"];
}

/** The columns of an entity's table but for `organization_id`: what `json_to_recordset(…) AS x(…)` has to be told. */
export function columnsOf(entity: Entity): Column[] {
  return Object.entries(entity.fields).map(([name, field]) => ({
    name,
    sqlType: field.sqlType,
    references: field.references,
  }));
}

/**
 * The select list that gives a row the form of an answer when `row_to_json` is put around it: PostgreSQL itself writes
 * dates as `YYYY-MM-DD`, money as numbers and nulls as null; only timestamps need a fixed form. Names come from the
 * registry, never from a caller.
 */
export function selectList(entity: Entity): string {
  return Object.entries(entity.fields)
    .map(([name, field]) => columnExpression(name, field))
    .join(", ");
}

/** The select list of a view of the row `source`. Expanded records come from the organization $1. */
export function selectView(entity: Entity, { fields, expand = [] }: View, source: string): string {
  const shown = shownFields(entity, fields);
  return [
    ...shown.map(([name, field]) => columnExpression(name, field, `${source}.`)),
    ...expand.map((each) => expansionExpression(each, source)),
  ].join(", ");
}

/** Of a user, whose name has at most 200 characters and whose e-mail address 254. */
const MAX_USER_BYTES = 4096;

/** SQL: no fewer bytes than the JSON of {@link selectView} has. */
export function maxBytesOfView(entity: Entity, { fields, expand = [] }: View, source: string): string {
  const expanded = expand.map((each) =>
    each.references === "users" ? MAX_USER_BYTES : maxBytesOfExpansion(each, each.references, source),
  );
  return [maxBytes(shownFields(entity, fields), source), ...expanded].join(" + ");
}

function maxBytesOfExpansion(expansion: Expansion, references: ResourceName, source: string): string {
  const size = maxBytes(Object.entries<Field>(ENTITIES[references].fields), "target");
  return `coalesce((SELECT ${size} FROM (${expansionQuery(expansion, source, "*")}) AS target), 0)`;
}

function shownFields(entity: Entity, fields: View["fields"]): [string, Field][] {
  return Object.entries<Field>(entity.fields).filter(([name]) => fields?.includes(name) ?? true);
}

function columnExpression(name: string, field: Field, source = ""): string {
  if (field.kind !== "timestamp") return `${source}"${name}"`;
  // With a microsecond more, JSON has all digits of the fraction, of which three are kept. to_char writes the same, and
  // makes a page a tenth slower.
  return (
    `substr(to_json(${source}"${name}" AT TIME ZONE 'UTC' + interval '1 microsecond')::text, 2, 23) || 'Z' AS ` +
    `"${name}"`
  );
}

function expansionExpression(expansion: Expansion, source: string): string {
  const { name, references } = expansion;
  const columns = references === "users" ? "id, name, email" : selectList(ENTITIES[references]);
  return `(SELECT row_to_json(target) FROM (${expansionQuery(expansion, source, columns)}) AS target) AS "${name}"`;
}

/** One look-up by primary key. A user counts as long as it is a member of the organization. */
function expansionQuery({ field, references }: Expansion, source: string, columns: string): string {
  return references === "users"
    ? `SELECT ${columns} FROM users JOIN memberships ON organization_id = $1 AND user_id = id
      WHERE id = ${source}."${field}"`
    : `SELECT ${columns} FROM ${references} WHERE organization_id = $1 AND id = ${source}."${field}"`;
}

/**
 * More than this is no page: records that are large end it early, so that an answer stays one that can be written and
 * read.
 */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * So much PostgreSQL writes where it only knows what a page can have at most, which is several times what nearly every
 * page has.
 */
const MAX_WRITTEN_BYTES = 4 * MAX_PAGE_BYTES;

/** What stands between two records of a page. */
const SEPARATOR = "E',\\n'";

/** Of a record without its texts: names, numbers, times, ids. */
const RECORD_OVERHEAD_BYTES = 4096;

/**
 * SQL: no fewer bytes than the JSON of a row's `fields` has. It costs a tenth of writing it: the length of a text
 * stands before it, wherever PostgreSQL keeps it. The source is the alias of the row.
 */
function maxBytes(fields: readonly (readonly [name: string, field: Field])[], source: string): string {
  const sizes = fields.flatMap(([name, { kind }]) => {
    const column = `${source}."${name}"`;
    return kind === "text" ? [maxBytesOfText(column)] : kind === "object" ? [maxBytesOfJson(column)] : [];
  });
  return [RECORD_OVERHEAD_BYTES, ...sizes].join(" + ");
}

/** SQL: as {@link maxBytes}, of a text. JSON escapes a control character with five more (`\u0001`). */
function maxBytesOfText(column: string): string {
  return `6::bigint * coalesce(octet_length(${column}), 0)`;
}

/**
 * SQL: as {@link maxBytes}, of a jsonb object. A number of 16 bytes can have 326 digits written out (5e-324). What is
 * compressed has its size when it is unpacked, which joining it with nothing does, and nothing else.
 */
export function maxBytesOfJson(column: string): string {
  const size =
    `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column}) ELSE pg_column_size(${column} ` +
    "|| '{}') END";
  return `32::bigint * coalesce(${size}, 0)`;
}

/** How a page's records are written, in SQL. */
interface PageColumns {
  /** The columns of a row of the page, by its alias `page`, that are written. */
  columns: string;
  /** The JSON of these columns, by their alias `record`, as text. */
  json: string;
  /** How many records at most. */
  limit: string;
}

/**
 * SQL, an aggregate: whether rows that have at most so many bytes each have no more than `bytes` together; by default,
 * no more than may be written at once.
 */
export function fits(most: string, bytes = MAX_WRITTEN_BYTES): string {
  return `coalesce(sum(${most}), 0) <= ${bytes}`;
}

/**
 * A query for a page: `records` as one text, empty where there are none; the `key` of the `last` one (SQL, of its row
 * `page`), and `has_more`. `most` is what a row of `page` has at most, in bytes: the records are null where they may be
 * more than PostgreSQL is to write, see {@link selectWithinBytes}. `aggregates` are more columns out of the rows of
 * `page`.
 */
export function selectAtOnce(
  { columns, json, limit }: PageColumns,
  page: string,
  key: string,
  most: string,
  aggregates: string[] = [],
): string {
  const found = [
    `${fits(most)} AS fits`,
    `(array_agg(${key}))[${limit}] AS last`,
    `count(*) > ${limit} AS has_more`,
    ...aggregates,
  ];
  return `WITH page AS MATERIALIZED (${page})
    SELECT found.*, CASE WHEN fits THEN
      (SELECT coalesce(string_agg(${json}, ${SEPARATOR}), '') FROM (SELECT ${columns} FROM page LIMIT ${limit}) AS record) END AS records
    FROM (SELECT ${found.join(", ")} FROM page) AS found`;
}

/** What follows a page's records in its envelope: the cursor of the last one, and the total where it was requested. */
interface PageEnd {
  last: string | null;
  hasMore: boolean;
  total?: string | undefined;
}

/** The envelope of a page whose records PostgreSQL has written. `last` is an id, so it needs no escaping. */
export function pageJson(records: string, { last, hasMore, total }: PageEnd): string {
  const count = total === undefined ? "" : `,"total":${total}`;
  const cursor = hasMore ? `"${last}"` : "null";
  return `{"data":[${records}],"next_cursor":${cursor},"has_more":${hasMore}${count}}`;
}

/** Whether records that {@link selectAtOnce} gave make a page as they are; most do, and that is known at once. */
export function fitsPage(records: string | null): records is string {
  // UTF-8 has at most three bytes for one unit of a JavaScript string.
  return records !== null && (records.length * 3 <= MAX_PAGE_BYTES || Buffer.byteLength(records) <= MAX_PAGE_BYTES);
}

/**
 * A query for a page that is large, with the columns of {@link selectAtOnce}. PostgreSQL writes one record after the
 * other and stops behind the first that is too many, so that it never writes more than {@link MAX_PAGE_BYTES} and one
 * record; that one is left out unless it is the first. It finds each row by its number among all, which takes a fifth
 * longer than to write them all, where they are so large.
 */
export function selectWithinBytes({ columns, json, limit }: PageColumns, page: string, key: string): string {
  const numbered = `SELECT row_number() OVER () AS n, next.* FROM (${page}) AS next`;
  // OFFSET 0 keeps PostgreSQL from writing the JSON twice, for its length and for itself.
  return `WITH RECURSIVE page AS MATERIALIZED (${numbered}),
    walk AS (
      SELECT 0::bigint AS n, 0::bigint AS bytes, NULL::text AS json, NULL::text AS key
      UNION ALL
      SELECT page.n, walk.bytes + octet_length(written.json) + 2, written.json, written.key FROM walk
        CROSS JOIN LATERAL (SELECT * FROM page WHERE page.n = walk.n + 1 AND page.n <= ${limit} LIMIT 1) AS page
        CROSS JOIN LATERAL (SELECT ${json} AS json, (${key})::text AS key FROM (SELECT ${columns}) AS record OFFSET 0) AS written
      WHERE walk.bytes <= ${MAX_PAGE_BYTES})
    SELECT coalesce(string_agg(json, ${SEPARATOR}), '') AS records, (array_agg(key))[count(*)] AS last, (SELECT count(*) FROM page) > count(*) AS has_more
    FROM walk WHERE n = 1 OR (n > 1 AND bytes <= ${MAX_PAGE_BYTES})`;
}
