import { eventPayload } from "@/lib/event-payload";
import { MAXIMUM_LIMIT } from "@/lib/page";
import { mostBytesOfJson, selectAtOnce, selectWithinBytes } from "@/lib/records/page-bytes";

export type EventOrder = "asc" | "desc";

/** What narrows the feed; each has an index of its own to be read from. */
export type EventFilter = "record_id" | "type" | "since";

/**
 * `created_at` of an event is when its transaction began, and the transaction has its number at most so much later. So whatever was created this long
 * before a moment has a lower number than all that begins from that moment on, and the reading can begin there.
 */
const LONGEST_TRANSACTION = "1 hour";

/**
 * Above this nothing is shown: a transaction that is still open may yet write events below any that is not. Cheap, and the same for all
 * (PostgreSQL, system information functions: pg_current_snapshot).
 */
const HORIZON = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

/** One value out of a query: row-level security takes what is worked out within the condition for leaky, and leaves the index (COALESCE is; PostgreSQL manual §39.5). */
const BEGINNING_OF = `(SELECT coalesce((SELECT e.tx FROM events e WHERE e.organization_id = $1
    AND e.created_at < $7::timestamptz - interval '${LONGEST_TRANSACTION}' ORDER BY e.created_at DESC LIMIT 1), 0))`;

/**
 * One page of the feed. $1 organization, $2 and $3 cursor, $4 limit + 1, $5 record, $6 types, $7 the moment from which events are wanted.
 * Of each type the next ones are read from its index, so that many types together need no sort but that of a page's worth each. A page whose events
 * may be too large has none, and is asked for as a `large` one.
 */
export function eventsText(order: EventOrder, filters: readonly EventFilter[], isLarge = false): string {
  const direction = `ORDER BY tx ${order}, id ${order}`;
  const byType = filters.includes("type") && !filters.includes("record_id");
  const where = [
    "organization_id = $1",
    `(tx, id) ${order === "asc" ? ">" : "<"} ($2::bigint, $3::uuid)`,
    `tx < ${HORIZON}`,
    ...(filters.includes("record_id") ? ["record_id = $5"] : []),
    ...(filters.includes("type") ? [byType ? "type = wanted.type" : "type = ANY ($6::text[])"] : []),
    ...(filters.includes("since") ? [`tx >= ${BEGINNING_OF}`, "created_at >= $7"] : []),
  ].join(" AND ");
  const next = `SELECT * FROM events WHERE ${where} ${direction} LIMIT ${MAXIMUM_LIMIT + 1}`;
  const all = byType ? `SELECT found.* FROM unnest($6::text[]) AS wanted (type) CROSS JOIN LATERAL (${next}) AS found` : next;
  const page = `SELECT * FROM (${all}) AS e ${direction} LIMIT $4`;
  // Every statement names all parameters, so that all take the same values.
  const unused = `($5::uuid, $6::text[], $7::timestamptz) IS NOT NULL AS unused`;
  const written = { columns: "page.*", json: eventPayload("record"), limit: "$4 - 1" };
  const most = `512 + ${mostBytesOfJson("page.object")} + ${mostBytesOfJson("page.previous")}`;
  const found = isLarge ? selectWithinBytes(written, page, "page.id") : selectAtOnce(written, page, "page.id", most);
  return `SELECT records, last, has_more, ${unused} FROM (${found}) AS found`;
}
