import { MAXIMUM_LIMIT } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import type { ListRequest } from "@/lib/records/list-input";
import { selectList, selectView } from "@/lib/records/select-json";

/**
 * The text of a list's query, for the records that `where` leaves. The constant limit within lets the planner see that only a page is wanted;
 * with a parameter it would reckon with a tenth of the table, and might sort it.
 */
export function selectPage(entity: Entity, request: ListRequest, where: string, total: string): string {
  const isWhole = request.position.by === "created" && !request.fields && !request.expand;
  return isWhole ? selectWhole(entity, request, where, total) : selectViews(entity, request, where, total);
}

/** Every field of each record: the row is the answer. */
function selectWhole(entity: Entity, request: ListRequest, where: string, total: string): string {
  const newest = `SELECT ${selectList(entity)} FROM ${entity.resource} WHERE ${where}${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}`;
  const page = `SELECT * FROM (${newest}) AS newest${orderOf(entity, request)} LIMIT $3`;
  const order = orderOf(entity, request, "page.");
  const records = `string_agg(row_to_json(page)::text, E',\\n'${order})`;
  return `SELECT ${records}, (array_agg(page.id${order}))[$3 - 1], count(*)${total} FROM (${page}) AS page`;
}

/** Fewer fields, more than fields, or another order than that of the ids: the row holds what is needed beside the answer. */
function selectViews(entity: Entity, request: ListRequest, where: string, total: string): string {
  const next = `SELECT * FROM ${entity.resource} WHERE ${where}${orderOf(entity, request)} LIMIT ${MAXIMUM_LIMIT + 1}`;
  const json = `(SELECT row_to_json(record)::text FROM (SELECT ${selectView(entity, request, "next")}) AS record)`;
  const page = `SELECT next.id, next.updated_at, ${json} AS json FROM (${next}) AS next${orderOf(entity, request, "next.")} LIMIT $3`;
  const order = orderOf(entity, request, "page.");
  const cursor = request.position.by === "updated" ? "(extract(epoch FROM page.updated_at) * 1000)::bigint || ' ' || page.id" : "page.id";
  return `SELECT string_agg(page.json, E',\\n'${order}), (array_agg(${cursor}${order}))[$3 - 1], count(*)${total} FROM (${page}) AS page`;
}

/** A record that is the only one needs no order, and its index would have none to give. */
export function orderOf(entity: Entity, { position, order, filters }: ListRequest, source = ""): string {
  if (Object.keys(filters).some((name) => entity.fields[name]?.unique)) return "";
  const direction = order.toUpperCase();
  return position.by === "updated" ? ` ORDER BY ${source}updated_at ${direction}, ${source}id ${direction}` : ` ORDER BY ${source}id ${direction}`;
}
