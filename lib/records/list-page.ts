import { MAXIMUM_LIMIT } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { selectList, selectView } from "@/lib/records/select-json";

/**
 * The text of a list's query, for the records that `where` leaves. The constant limit within lets the planner see that only a page is wanted;
 * with a parameter it would reckon with a tenth of the table, and might sort it.
 */
export function selectPage(entity: Entity, request: ListRequest, { where, total, tag }: PageParts): string {
  return isWhole(request) ? selectWhole(entity, request, { where, total, tag }) : selectViews(entity, request, { where, total });
}

interface PageParts {
  where: string;
  total: string;
  /** The parameter that is the tag of the page as the caller has it. */
  tag: string;
}

/** Whether a page shows every field of each record and nothing else, newest or oldest first: then the row is the answer. */
export function isWhole({ position, fields, expand }: ListRequest): boolean {
  return position.by === "created" && !fields && !expand;
}

/**
 * The tag says which versions of which rows the page shows: `xmin` is the transaction that wrote a row as it is (PostgreSQL manual §5.6), and its number means
 * something else after a restore or on another server. A page that
 * the caller has with this tag is not written again, which is two thirds of the work. The aggregates take the rows in the page's order.
 */
function selectWhole(entity: Entity, request: ListRequest, { where, total, tag }: PageParts): string {
  const newest = `SELECT xmin, * FROM ${entity.resource} WHERE ${where}${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}`;
  const page = `SELECT * FROM (${newest}) AS newest${orderOf(entity, request)} LIMIT $3`;
  const tagged =
    "SELECT md5(pg_postmaster_start_time()::text || string_agg(id::text || xmin::text, '')) AS tag, (array_agg(id))[$3 - 1] AS last, count(*) AS found FROM page";
  const records = `SELECT string_agg(row_to_json(record)::text, E',\\n') FROM (SELECT ${selectList(entity)} FROM page) AS record`;
  return `WITH page AS MATERIALIZED (${page})
    SELECT CASE WHEN tag = ${tag} THEN NULL ELSE (${records}) END, last, found, tag${total} FROM (${tagged}) AS tagged`;
}

/** Fewer fields, more than fields, or another order than that of the ids: the row holds what is needed beside the answer. */
function selectViews(entity: Entity, request: ListRequest, { where, total }: Omit<PageParts, "tag">): string {
  const next = `SELECT * FROM ${entity.resource} WHERE ${where}${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}`;
  const json = `(SELECT row_to_json(record)::text FROM (SELECT ${selectView(entity, request, "next")}) AS record)`;
  const page = `SELECT next.id, next.updated_at, ${json} AS json FROM (${next}) AS next${orderOf(entity, request, "next.")} LIMIT $3`;
  const order = orderOf(entity, request, "page.");
  const cursor = request.position.by === "updated" ? "(extract(epoch FROM page.updated_at) * 1000)::bigint || ' ' || page.id" : "page.id";
  return `SELECT string_agg(page.json, E',\\n'${order}), (array_agg(${cursor}${order}))[$3 - 1], count(*), NULL${total} FROM (${page}) AS page`;
}

/** A record that is the only one needs no order, and its index would have none to give. */
export function orderOf(entity: Entity, { position, order, filters }: ListRequest, source = ""): string {
  if (Object.keys(filters).some((name) => entity.fields[name]?.unique)) return "";
  const direction = order.toUpperCase();
  return position.by === "updated" ? ` ORDER BY ${source}updated_at ${direction}, ${source}id ${direction}` : ` ORDER BY ${source}id ${direction}`;
}
