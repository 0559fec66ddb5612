import type { QueryConfig } from "pg";

import { pool } from "@/lib/database/db";
import type { AppError } from "@/lib/errors";
import { eventPayload, firstTransaction, LOWEST_TX, MAX_TRANSACTION_HOURS } from "@/lib/event-format";
import { MAX_UUID, MIN_UUID, timeOf } from "@/lib/ids";
import { MAX_LIMIT } from "@/lib/input/limits";
import { invalidCursor } from "@/lib/input/page";
import { JsonText } from "@/lib/operation";
import { fitsPage, maxBytesOfJson, pageJson, selectAtOnce, selectWithinBytes } from "@/lib/records/schema/record-sql";

/** How long events can be read. */
export const EVENT_DAYS = 30;

/** Expired events are deleted later, so that whoever begins with the oldest that can be read can go on. */
export const PURGE_AFTER_DAYS = EVENT_DAYS + 1;

/** The order of events is not quite that of their times: what follows a younger cursor has not been deleted. */
const CURSOR_DAYS = PURGE_AFTER_DAYS - MAX_TRANSACTION_HOURS / 24;

const timeAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

export interface EventsRequest {
  limit: number;
  order: EventOrder;
  cursor?: string | undefined;
  record_id?: string | undefined;
  types?: readonly string[] | undefined;
  since?: string | undefined;
}

/** A position in the feed. A transaction's number may exceed what JavaScript represents exactly. */
interface Position {
  tx: string;
  id: string;
}

const FEED_ENDS: Record<EventOrder, Position> = {
  asc: { tx: LOWEST_TX, id: MIN_UUID },
  desc: { tx: "9".repeat(18), id: MAX_UUID },
};

interface PageRow {
  records: string | null;
  last: string | null;
  has_more: boolean;
}

/**
 * One page of an organization's events as JSON written by PostgreSQL. The cursor is the id of an event, whose position
 * is looked up: an event never changes, and exists as long as what follows it can be read. A client continues with the
 * id of the last event that it has seen. Throws `invalid_request` for a cursor that is not an event of the
 * organization, or after which events have been deleted.
 */
export async function readEventsPage(organizationId: string, request: EventsRequest): Promise<JsonText> {
  const { limit, order, cursor, record_id, types } = request;
  if (order === "asc" && cursor !== undefined && timeOf(cursor) < timeAgo(CURSOR_DAYS)) throw cursorExpired();
  const since = order === "asc" && cursor === undefined ? notExpired(request.since) : request.since;
  const filters = filtersOf({ ...request, since });
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

/** The time, or the earliest of which events can be read if that is later. */
function notExpired(since: string | undefined): string {
  const earliest = timeAgo(EVENT_DAYS);
  return since !== undefined && new Date(since) > earliest ? since : earliest.toISOString();
}

function cursorExpired(): AppError {
  return invalidCursor(
    `This \`cursor\` is not an event, or one of more than ${EVENT_DAYS} days ago. Events after it may have been ` +
      "deleted: read the records, and begin without a cursor.",
  );
}

export type EventOrder = "asc" | "desc";

/** The filters of the feed. Each has its own index. */
export type EventFilter = "record_id" | "type" | "since";

/**
 * Nothing is shown above this: an open transaction may still write events below those of a committed one. It is cheap,
 * and the same for all (PostgreSQL, system information functions: pg_current_snapshot).
 */
const HORIZON = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

/**
 * One value from a subquery. With row-level security, PostgreSQL considers an expression in the condition leaky, and
 * does not use the index (COALESCE is leaky; PostgreSQL manual §39.5).
 */
const FIRST_TRANSACTION = `(SELECT coalesce((${firstTransaction("$7")}), ${LOWEST_TX}))`;

/**
 * One page of the feed. $1 organization, $2 and $3 cursor, $4 limit + 1, $5 record, $6 types, $7 the earliest time. For
 * several types, the next events of each are read from its index, so that only a page's worth of each is sorted.
 * Records are null where events may be too large; then the page is requested as a `large` one.
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
  // Every statement mentions all parameters, so that all take the same values.
  const unused = `($5::uuid, $6::text[], $7::timestamptz) IS NOT NULL AS unused`;
  const columns = { columns: "page.*", json: eventPayload("record"), limit: "$4 - 1" };
  const maxRowBytes = `512 + ${maxBytesOfJson("page.object")} + ${maxBytesOfJson("page.previous")}`;
  const found = isLarge
    ? selectWithinBytes(columns, page, "page.id")
    : selectAtOnce(columns, page, "page.id", { maxRowBytes });
  return `SELECT records, last, has_more, ${unused} FROM (${found}) AS found`;
}
