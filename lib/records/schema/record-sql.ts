import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Expansion, View } from "@/lib/records/schema/view";

/** The organization's parameter in every statement that is built from this file. */
export const ORGANIZATION = "$1";

/** Binds a value to a statement that is being built, and returns its parameter: "$2". */
export type Bind = (value: unknown) => string;

export interface Column {
  name: string;
  /** The type in a column definition list: `numeric(18,2)`, `case_status`. */
  sqlType: string;
  references?: Field["references"];
}

/**
 * Columns that are no fields, because imports alone need them: the migration that created a record; the version that
 * the last write by an import gave it, so that nobody has edited a record while that is its `version`; and the digest
 * of the source record that its content comes from.
 */
export const PROVENANCE = ["migration_id", "imported_version", "source_digest"] as const;

/** The columns of an entity's fields, as `json_to_recordset(…) AS x(…)` needs them. */
export function columnsOf(entity: Entity): Column[] {
  return Object.entries(entity.fields).map(([name, field]) => ({
    name,
    sqlType: field.sqlType,
    references: field.references,
  }));
}

/**
 * The select list that shapes a row for `row_to_json`. PostgreSQL itself writes dates as `YYYY-MM-DD`, money as numbers
 * and nulls as null; only timestamps need a fixed format. The names come from the registry, never from a caller.
 */
export function selectList(entity: Entity): string {
  return Object.entries(entity.fields)
    .map(([name, field]) => columnExpression(name, field))
    .join(", ");
}

/** The select list of a view of the row `source`. Expanded records belong to {@link ORGANIZATION}. */
export function selectView(entity: Entity, { fields, expand = [] }: View, source: string): string {
  const shown = shownFields(entity, fields);
  return [
    ...shown.map(([name, field]) => columnExpression(name, field, `${source}.`)),
    ...expand.map((each) => expansionExpression(each, source)),
  ].join(", ");
}

/** A user's name has at most 200 characters, and the e-mail address 254. */
const MAX_USER_BYTES = 4096;

/** SQL: an upper bound of the bytes in the JSON of {@link selectView}. */
export function maxBytesOfView(entity: Entity, { fields, expand = [] }: View, source: string, isSmall = false): string {
  const expanded = expand.map((each) =>
    each.references === "users" ? MAX_USER_BYTES : maxBytesOfExpansion(each, each.references, source),
  );
  return [maxBytes(shownFields(entity, fields), source, isSmall), ...expanded].join(" + ");
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
  // With one microsecond more, JSON has all digits of the fraction, of which three are kept. to_char writes the same
  // but makes a page a tenth slower.
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

/** One lookup by primary key. A user counts while a member of the organization. */
function expansionQuery({ field, references }: Expansion, source: string, columns: string): string {
  return references === "users"
    ? `SELECT ${columns} FROM users JOIN memberships ON organization_id = ${ORGANIZATION} AND user_id = id
      WHERE id = ${source}."${field}"`
    : `SELECT ${columns} FROM ${references} WHERE organization_id = ${ORGANIZATION} AND id = ${source}."${field}"`;
}

/** The maximum size of a page. Large records end a page early, so that a response can be written and read. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * PostgreSQL writes a page at once where the upper bound of its size is at most this. The bound is several times the
 * real size of nearly every page.
 */
const MAX_WRITTEN_BYTES = 4 * MAX_PAGE_BYTES;

/**
 * A page for which others wait has at most this upper bound of its size: 40 KB per record of a page of fifty, which is
 * 900 bytes of custom fields and a kilobyte of texts.
 */
export const MAX_SMALL_BYTES = 2 * 1024 * 1024;

/** Separates two records of a page. */
const SEPARATOR = "E',\\n'";

/** The size of a record beside its texts: names, numbers, times, ids. */
const RECORD_OVERHEAD_BYTES = 4096;

/**
 * SQL: an upper bound of the bytes in the JSON of a row's `fields`. It costs a tenth of writing the JSON: PostgreSQL
 * stores the length of a text before it. `source` is the alias of the row.
 */
function maxBytes(fields: readonly (readonly [name: string, field: Field])[], source: string, isSmall = false): string {
  const sizes = fields.flatMap(([name, { kind }]) => {
    const column = `${source}."${name}"`;
    if (kind === "object") return [maxBytesOfJson(column, isSmall)];
    return kind === "text" ? [maxBytesOfText(column)] : [];
  });
  return [RECORD_OVERHEAD_BYTES, ...sizes].join(" + ");
}

/** SQL: {@link maxBytes} of a text. JSON escapes a control character with six bytes (`\u0001`). */
function maxBytesOfText(column: string): string {
  return `6::bigint * coalesce(octet_length(${column}), 0)`;
}

/**
 * SQL: {@link maxBytes} of a jsonb object. A number of 16 bytes can have 326 digits written out (5e-324). The
 * uncompressed size of a compressed value is measured by concatenating it with `{}`, which decompresses it and nothing
 * else. Where only what is small counts (`isSmall`), a compressed value is too large: to measure it takes as long as to
 * write it.
 */
export function maxBytesOfJson(column: string, isSmall = false): string {
  const uncompressed = isSmall ? MAX_SMALL_BYTES : `pg_column_size(${column} || '{}')`;
  const isKnown = `pg_column_compression(${column}) IS NULL`;
  return `32::bigint * coalesce(CASE WHEN ${isKnown} THEN pg_column_size(${column}) ELSE ${uncompressed} END, 0)`;
}

/** How a page's records are written, in SQL. */
interface PageColumns {
  /** The written columns of a row, by its alias `page`. */
  columns: string;
  /** The JSON text of these columns, by their alias `record`. */
  json: string;
  /** The maximum number of records. */
  limit: string;
}

/** The bounds in bytes: of a row of `page` (SQL), and of all rows together. */
interface PageBounds {
  maxRowBytes: string;
  maxBytes?: number;
}

/** SQL, an aggregate: whether rows of at most `maxRowBytes` each have at most `bytes` together. */
export function fits(maxRowBytes: string, bytes: number): string {
  return `coalesce(sum(${maxRowBytes}), 0) <= ${bytes}`;
}

/**
 * A query for a page: `records` as one text, empty where there are none; the `key` of the `last` one (SQL, of its row
 * `page`), and `has_more`. Records are null where together they may exceed the bounds, by default what PostgreSQL
 * writes at once, see {@link selectWithinBytes}. `aggregates` are further columns, computed from the rows of `page`.
 */
export function selectAtOnce(
  { columns, json, limit }: PageColumns,
  page: string,
  key: string,
  { maxRowBytes, maxBytes: bytes = MAX_WRITTEN_BYTES }: PageBounds,
  aggregates: string[] = [],
): string {
  const found = [
    `${fits(maxRowBytes, bytes)} AS fits`,
    `(array_agg(${key}))[${limit}] AS last`,
    `count(*) > ${limit} AS has_more`,
    ...aggregates,
  ];
  return `WITH page AS MATERIALIZED (${page})
    SELECT found.*, CASE WHEN fits THEN
      (SELECT coalesce(string_agg(${json}, ${SEPARATOR}), '')
       FROM (SELECT ${columns} FROM page LIMIT ${limit}) AS record) END AS records
    FROM (SELECT ${found.join(", ")} FROM page) AS found`;
}

/** The end of a page's envelope: the cursor of the last record, and the total where it was requested. */
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

/**
 * Whether the records of {@link selectAtOnce} make a page as they are. Nearly all do, which the first comparison shows.
 */
export function fitsPage(records: string | null): records is string {
  // UTF-8 has at most three bytes per unit of a JavaScript string.
  return records !== null && (records.length * 3 <= MAX_PAGE_BYTES || Buffer.byteLength(records) <= MAX_PAGE_BYTES);
}

/**
 * A query for a large page, with the columns of {@link selectAtOnce}. PostgreSQL writes one record after another and
 * stops behind the first that exceeds the limit, so it never writes more than {@link MAX_PAGE_BYTES} and one record.
 * That record is left out unless it is the first. Finding each row by its number takes a fifth longer than writing all
 * records, where they are so large.
 */
export function selectWithinBytes({ columns, json, limit }: PageColumns, page: string, key: string): string {
  const numbered = `SELECT row_number() OVER () AS n, next.* FROM (${page}) AS next`;
  // OFFSET 0 prevents PostgreSQL from writing the JSON twice, for its length and for itself.
  return `WITH RECURSIVE page AS MATERIALIZED (${numbered}),
    walk AS (
      SELECT 0::bigint AS n, 0::bigint AS bytes, NULL::text AS json, NULL::text AS key
      UNION ALL
      SELECT page.n, walk.bytes + octet_length(written.json) + 2, written.json, written.key FROM walk
        CROSS JOIN LATERAL (SELECT * FROM page WHERE page.n = walk.n + 1 AND page.n <= ${limit} LIMIT 1) AS page
        CROSS JOIN LATERAL (
          SELECT ${json} AS json, (${key})::text AS key FROM (SELECT ${columns}) AS record OFFSET 0) AS written
      WHERE walk.bytes <= ${MAX_PAGE_BYTES})
    SELECT coalesce(string_agg(json, ${SEPARATOR}), '') AS records, (array_agg(key))[count(*)] AS last,
      (SELECT count(*) FROM page) > count(*) AS has_more
    FROM walk WHERE n = 1 OR (n > 1 AND bytes <= ${MAX_PAGE_BYTES})`;
}
