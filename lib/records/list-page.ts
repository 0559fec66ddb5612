import { MAXIMUM_LIMIT } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { selectAtOnce, selectWithinBytes } from "@/lib/records/page-bytes";
import { mostBytesOfView, selectView } from "@/lib/records/select-json";
import type { View } from "@/lib/records/view-input";

interface PageParts {
  where: string;
  total: string;
}

/** Whether a page shows every field of each record and nothing else, and its tag is quickly had: then it has one. */
export function isWhole({ changed, fields, expand }: ListRequest): boolean {
  return !changed && !fields && !expand;
}

/**
 * The text of a list's query, for the records that `where` leaves. The aggregates take the rows in the page's order. The records are
 * null where they may be too large to be written at once ({@link selectAtOnce}).
 */
export function selectPage(entity: Entity, request: ListRequest, { where, total }: PageParts): string {
  const tag = isWhole(request) ? TAG : "NULL";
  const most = mostBytesOfView(entity, request, "page");
  const page = selectAtOnce(writtenOf(entity, request), rowsOf(entity, request, where), "page.id", most, [`${tag} AS tag`]);
  return `SELECT records, last, has_more, tag${total} FROM (${page}) AS page`;
}

/**
 * The tag of a whole page says which versions of which rows it shows: `xmin` is the transaction that wrote a row as it is (PostgreSQL manual §5.6), and its number
 * means something else after a restore or on another server. Bytes are joined in half the time that texts are.
 */
const TAG = "md5(timestamptz_send(pg_postmaster_start_time()) || string_agg(uuid_send(id) || xidsend(xmin), ''))";

/**
 * The text of the query for the tag of a page alone. Who has the page with this tag needs no more, which is a quarter of the work: no node of the plan
 * has to pass whole rows on.
 */
export function selectTag(entity: Entity, request: ListRequest, where: string): string {
  return `SELECT ${TAG} FROM (${rowsOf(entity, request, where, "id")}) AS page`;
}

/** The text of the query for a page that is too large for {@link selectPage}: its columns are the same. */
export function selectLargePage(entity: Entity, request: ListRequest, { where, total }: PageParts): string {
  const large = selectWithinBytes(writtenOf(entity, request), rowsOf(entity, request, where), "page.id");
  return `SELECT records, last, has_more, NULL AS tag${total} FROM (${large}) AS large`;
}

/**
 * The rows of the page, and one more. The constant limit within lets the planner see that only a page is wanted; with a parameter it would reckon with a
 * tenth of the table, and might sort it.
 */
function rowsOf(entity: Entity, request: ListRequest, where: string, columns = "*"): string {
  const order = orderOf(entity, request);
  const next = `SELECT xmin, ${columns} FROM ${entity.resource} WHERE ${where}${order} LIMIT ${MAXIMUM_LIMIT + 1}`;
  return `SELECT * FROM (${next}) AS next${order} LIMIT $3`;
}

function writtenOf(entity: Entity, view: View) {
  return { columns: selectView(entity, view, "page"), json: "row_to_json(record)::text", limit: "$3 - 1" };
}

/** A record that is the only one needs no order, and its index would have none to give. */
export function orderOf(entity: Entity, { order, filters }: ListRequest): string {
  if (Object.keys(filters).some((name) => entity.fields[name]?.unique)) return "";
  return ` ORDER BY id ${order.toUpperCase()}`;
}
