import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { inOrganization } from "@/lib/database/organization-scope";
import type { ExportedTable } from "@/lib/settings/organization/export/exported-tables";

/** Rows of the first page; of the next ones, at most. A page of large rows ends with the one that exceeds the bytes. */
const FIRST_ROWS = 50;
const ROWS_PER_PAGE = 1000;
const PAGE_BYTES = 1024 * 1024;

interface Column {
  name: string;
  type: string;
  /** Its place in the primary key, from 1; null for a column that is not in it. */
  key: number | null;
}

const COLUMNS = `
  SELECT a.attname AS name, a.atttypid::regtype::text AS type,
    array_position(string_to_array(i.indkey::text, ' '), a.attnum::text) AS key
  FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'organization_id'
  ORDER BY a.attnum`;

/** A table as it is read: the columns of its file, and the statements of its pages. */
export interface TableReader {
  columns: string[];
  /** The first page: $1 is the organization, $2 how many rows. */
  first: string;
  /** One behind the row whose key is in the further parameters. */
  next: string;
}

/** Reads the columns of a table as the database has them, so that a new one cannot be forgotten. */
export async function readerOf({ name: table, more = {} }: ExportedTable): Promise<TableReader> {
  const { rows } = await pool().query<Column>(COLUMNS, [table]);
  const shown = rows.filter(({ type }) => type !== "bytea");
  const key = rows.filter((column) => column.key !== null).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0));
  const selected = [...shown.map(expressionOf), ...Object.entries(more).map(([name, sql]) => `${sql} AS "${name}"`)];
  const after = key.map(({ type }, index) => `$${index + 3}::${type}`);
  const page = { table, key, selected: selected.join(", ") };
  return {
    columns: [...shown.map(({ name }) => name), ...Object.keys(more)],
    first: pageOf(page, ""),
    next: pageOf(page, `AND (${key.map(({ name }) => `t."${name}"`).join(", ")}) > (${after.join(", ")})`),
  };
}

/** As the API writes it: only timestamps need a form of their own. */
function expressionOf({ name, type }: Column): string {
  if (type !== "timestamp with time zone") return `t."${name}"`;
  return `${isoText(`t."${name}"`)} AS "${name}"`;
}

interface Page {
  table: string;
  key: readonly Column[];
  selected: string;
}

/**
 * Rows as JSON, each with its key, in the order of the key, until they exceed {@link PAGE_BYTES}. The innermost query
 * finds the page: only its rows become JSON, whatever the plan.
 */
function pageOf({ table, key, selected }: Page, behind: string): string {
  const columns = key.map(({ name }) => `t."${name}"`);
  const names = key.map((_, index) => `k${index}`).join(", ");
  return `
    SELECT line, key FROM (
      SELECT line, key, ${names}, sum(octet_length(line)) OVER (ORDER BY ${names}) - octet_length(line) AS before FROM (
        SELECT row_to_json((SELECT v FROM (SELECT ${selected}) AS v))::text AS line,
          ARRAY[${columns.map((column) => `${column}::text`).join(", ")}] AS key,
          ${columns.map((column, index) => `${column} AS k${index}`).join(", ")}
        FROM (
          SELECT * FROM "${table}" AS t WHERE t.organization_id = $1 ${behind} ORDER BY ${columns.join(", ")} LIMIT $2
        ) AS t
      ) AS page
    ) AS counted WHERE before < ${PAGE_BYTES} ORDER BY ${names}`;
}

/** A row as JSON, and its key. */
interface Row {
  line: string;
  key: string[];
}

/**
 * All rows of an organization in a table, as JSON texts, page after page. Each page is a statement of its own in the
 * organization's scope, so nothing stays open between two of them.
 */
export async function* readPages(organizationId: string, reader: TableReader): AsyncGenerator<string[]> {
  let limit = FIRST_ROWS;
  let after: string[] | undefined;
  for (;;) {
    const rows = await readPage(organizationId, reader, limit, after);
    after = rows.at(-1)?.key;
    if (!after) return;
    yield rows.map(({ line }) => line);
    // PostgreSQL makes JSON of all that are asked for: of large rows, no more than fit.
    limit = Math.min(ROWS_PER_PAGE, rows.length * 2);
  }
}

async function readPage(
  organizationId: string,
  { first, next }: TableReader,
  limit: number,
  after: readonly string[] | undefined,
): Promise<Row[]> {
  const values = [organizationId, limit, ...(after ?? [])];
  const { rows } = await inOrganization(organizationId, () => pool().query<Row>(after ? next : first, values));
  return rows;
}
