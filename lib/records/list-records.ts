import { pool } from "@/lib/db";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/entity";
import { MAXIMUM_LIMIT } from "@/lib/page";
import { selectList } from "@/lib/records/select-json";

/** Above every UUIDv7: where a list without a cursor begins. */
const NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface ListInput {
  limit: number;
  cursor?: string | undefined;
  /** Field name → the one value that its records have. */
  filters: Record<string, string>;
}

interface Statement {
  name: string;
  text: string;
}

// A named statement is planned once per connection. Their number is bounded: the registry allows few filters.
const statements = new Map<string, Statement>();

/**
 * One page of an organization's records, newest first, as JSON that PostgreSQL has written. The page is the one index range below the
 * cursor, which needs no lookup: it works when the cursor's own record is gone, and what others insert or delete moves no record
 * across it.
 */
export async function listRecords(entity: Entity, organizationId: string, input: ListInput): Promise<JsonText> {
  const filters = Object.keys(input.filters).toSorted();
  const { rows } = await pool().query<[records: string | null, cursor: string | null, found: string]>({
    ...statementFor(entity, filters),
    rowMode: "array",
    values: [organizationId, input.cursor ?? NEWEST, input.limit + 1, ...filters.map((name) => input.filters[name])],
  });
  const [records, cursor, found] = rows[0] ?? [null, null, "0"];
  if (Number(found) <= input.limit) return new JsonText(`{"data":[${records ?? ""}],"next_cursor":null,"has_more":false}`);
  // The record too many follows the last separator. A raw line break stands nowhere else, because JSON escapes it within strings.
  const page = records?.slice(0, records.lastIndexOf(",\n"));
  return new JsonText(`{"data":[${page}],"next_cursor":"${cursor}","has_more":true}`);
}

function statementFor(entity: Entity, filters: string[]): Statement {
  const name = ["list", entity.resource, ...filters].join(" ");
  const known = statements.get(name);
  if (known) return known;
  const statement = { name, text: listText(entity, filters) };
  statements.set(name, statement);
  return statement;
}

/**
 * Parameters: $1 organization, $2 cursor, $3 limit + 1, then the filters' values. The constant limit within lets the planner see that
 * only a page is wanted; with a parameter it would reckon with a tenth of the table, and might sort it.
 */
export function listText(entity: Entity, filters: readonly string[]): string {
  const where = ["organization_id = $1", "id < $2", ...filters.map((name, index) => `"${name}" = $${index + 4}`)].join(" AND ");
  const newest = `SELECT ${selectList(entity)} FROM ${entity.resource} WHERE ${where} ORDER BY id DESC LIMIT ${MAXIMUM_LIMIT + 1}`;
  const page = `SELECT * FROM (${newest}) AS newest ORDER BY id DESC LIMIT $3`;
  const records = `string_agg(row_to_json(page)::text, E',\\n' ORDER BY page.id DESC)`;
  return `SELECT ${records}, (array_agg(page.id ORDER BY page.id DESC))[$3 - 1], count(*) FROM (${page}) AS page`;
}
