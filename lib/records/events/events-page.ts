import type { QueryConfig } from "pg";

import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { eventPayload } from "@/lib/event-format";
import { MAX_UUID, MIN_UUID, timeOf } from "@/lib/ids";
import { MAX_LIMIT } from "@/lib/input/page";
import { JsonText } from "@/lib/operation";
import { fitsPage, maxBytesOfJson, pageJson, selectAtOnce, selectWithinBytes } from "@/lib/records/schema/record-sql";

/** For how long events can be read. */
export const EVENT_DAYS = 30;

export interface EventsRequest {
  limit: number;
  order: EventOrder;
  cursor?: string | undefined;
  record_id?: string | undefined;
  types?: readonly string[] | undefined;
  since?: string | undefined;
}

/** A place in the feed; the number of a transaction may be beyond what JavaScript holds exactly. */
interface Position {
  tx: string;
  id: string;
}

const FEED_ENDS: Record<EventOrder, Position> = {
  asc: { tx: "0", id: MIN_UUID },
  desc: { tx: "9".repeat(18), id: MAX_UUID },
};

interface PageRow {
  records: string | null;
  last: string | null;
  has_more: boolean;
}

/**
 * One page of an organization's events, as JSON that PostgreSQL has written. The cursor is the id of an event, whose
 * place is looked up: an event does not change, and is there for as long as what follows it can be read. So the last
 * event that a client has seen is where to ask for what is new. Throws `invalid_request` for a cursor that is no event
 * of the organization, or beyond which events have been forgotten.
 */
export async function readEventsPage(organizationId: string, request: EventsRequest): Promise<JsonText> {
  const { limit, order, cursor, record_id, types, since } = request;
  if (order === "asc" && cursor !== undefined && isExpired(cursor)) throw cursorExpired();
  const filters = filtersOf(request);
  const { tx, id } = cursor === undefined ? FEED_ENDS[order] : await positionOf(organizationId, cursor);
  const values = [organizationId, tx, id, limit + 1, record_id, types, since];
  const page = await read({ name: ["events", order, ...filters].join(" "), text: eventsText(order, filters), values });
  const { records, last, has_more } = fitsPage(page.records)
    ? page
    : await read({ text: eventsText(order, filters, true), values });
  return new JsonText(pageJson(records ?? "", { last, hasMore: has_more }));
}

export const EVENT_POSITION = "SELECT tx, id FROM events WHERE organization_id = $1 AND id = $2";

async function positionOf(organizationId: string, cursor: string): Promise<Position> {
  const { rows } = await pool().query<Position>({
    name: "event position",
    text: EVENT_POSITION,
    values: [organizationId, cursor],
  });
  if (!rows[0]) throw cursorExpired();
  return rows[0];
}

async function read(statement: QueryConfig): Promise<PageRow> {
  const { rows } = await pool().query<PageRow>(statement);
  if (!rows[0]) throw new Error("An aggregate gave no row.");
  return rows[0];
}

function filtersOf({ record_id, types, since }: EventsRequest): EventFilter[] {
  return [
    ...(record_id === undefined ? [] : (["record_id"] as const)),
    ...(types === undefined ? [] : (["type"] as const)),
    ...(since === undefined ? [] : (["since"] as const)),
  ];
}

function isExpired(id: string): boolean {
  return timeOf(id).getTime() < Date.now() - EVENT_DAYS * 24 * 3600 * 1000;
}

function cursorExpired(): AppError {
  const detail =
    `This \`cursor\` is no event of the last ${EVENT_DAYS} days. If it was one, what followed it is forgotten: read ` +
    "the records, and begin without a cursor.";
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/cursor", code: "invalid_cursor", detail }] });
}

export type EventOrder = "asc" | "desc";

/** What narrows the feed; each has an index of its own to be read from. */
export type EventFilter = "record_id" | "type" | "since";

/**
 * `created_at` of an event is when its transaction began, and the transaction has its number at most so much later. So
 * whatever was created this long before a moment has a lower number than all that begins from that moment on, and the
 * reading can begin there.
 */
const MAX_TRANSACTION_AGE = "1 hour";

/**
 * Above this nothing is shown: a transaction that is still open may yet write events below any that is not. Cheap, and
 * the same for all (PostgreSQL, system information functions: pg_current_snapshot).
 */
const HORIZON = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

/**
 * One value out of a query: row-level security takes what is worked out within the condition for leaky, and leaves the
 * index (COALESCE is; PostgreSQL manual §39.5).
 */
const FIRST_TRANSACTION = `(SELECT coalesce((SELECT e.tx FROM events e WHERE e.organization_id = $1
    AND e.created_at < $7::timestamptz - interval '${MAX_TRANSACTION_AGE}' ORDER BY e.created_at DESC LIMIT 1), 0))`;

/**
 * One page of the feed. $1 organization, $2 and $3 cursor, $4 limit + 1, $5 record, $6 types, $7 the moment from which
 * events are wanted. Of each type the next ones are read from its index, so that many types together need no sort but
 * that of a page's worth each. A page whose events may be too large has none, and is asked for as a `large` one.
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
    ...(filters.includes("since") ? [`tx >= ${FIRST_TRANSACTION}`, "created_at >= $7"] : []),
  ].join(" AND ");
  const next = `SELECT * FROM events WHERE ${where} ${direction} LIMIT ${MAX_LIMIT + 1}`;
  const all = byType
    ? `SELECT found.* FROM unnest($6::text[]) AS wanted (type) CROSS JOIN LATERAL (${next}) AS found`
    : next;
  const page = `SELECT * FROM (${all}) AS e ${direction} LIMIT $4`;
  // Every statement names all parameters, so that all take the same values.
  const unused = `($5::uuid, $6::text[], $7::timestamptz) IS NOT NULL AS unused`;
  const written = { columns: "page.*", json: eventPayload("record"), limit: "$4 - 1" };
  const most = `512 + ${maxBytesOfJson("page.object")} + ${maxBytesOfJson("page.previous")}`;
  const found = isLarge ? selectWithinBytes(written, page, "page.id") : selectAtOnce(written, page, "page.id", most);
  return `SELECT records, last, has_more, ${unused} FROM (${found}) AS found`;
}
