import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { lowestIdAt, timeOf } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { type PairCursor, writePairCursor } from "@/lib/pair-cursor";
import { type EventFilter, type EventOrder, eventsText } from "@/lib/records/events-statement";
import { fittingRecords, SEPARATOR } from "@/lib/records/page-bytes";

/** For how long events can be read. */
export const EVENT_DAYS = 30;

export interface EventsRequest {
  limit: number;
  order: EventOrder;
  cursor?: PairCursor | undefined;
  record_id?: string | undefined;
  types?: readonly string[] | undefined;
  since?: string | undefined;
}

const ENDS: Record<EventOrder, PairCursor> = {
  asc: { number: "0", id: "00000000-0000-0000-0000-000000000000" },
  desc: { number: "9".repeat(18), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
};

interface PageRow {
  events: string;
  positions: string[];
  horizon: string;
}

/**
 * One page of an organization's events, as JSON that PostgreSQL has written. Oldest first, the last page too has a cursor, from which to ask
 * for what is new. Throws `invalid_request` for a cursor beyond which events have been forgotten.
 */
export async function listEvents(organizationId: string, request: EventsRequest): Promise<JsonText> {
  const { limit, order, cursor, record_id, types, since } = request;
  if (order === "asc" && cursor && isForgotten(cursor)) throw forgotten();
  const filters = filtersOf(request);
  const { number, id } = cursor ?? ENDS[order];
  const { rows } = await pool().query<PageRow>({
    name: ["events", order, ...filters].join(" "),
    text: eventsText(order, filters),
    values: [organizationId, number, id, limit + 1, record_id, types, since],
  });
  const [row] = rows;
  if (!row) throw new Error("An aggregate gave no row.");
  return new JsonText(envelope(row, limit, order));
}

function envelope({ events, positions, horizon }: PageRow, limit: number, order: EventOrder): string {
  const shown = Math.min(positions.length, limit, fittingRecords(events) ?? limit);
  const hasMore = positions.length > shown;
  const data = hasMore ? events.split(SEPARATOR).slice(0, shown).join(SEPARATOR) : events;
  const next = hasMore ? cursorOf(positions[shown - 1]) : order === "asc" ? cursorAt(horizon) : null;
  return `{"data":[${data}],"next_cursor":${JSON.stringify(next)},"has_more":${hasMore}}`;
}

function filtersOf({ record_id, types, since }: EventsRequest): EventFilter[] {
  return [
    ...(record_id === undefined ? [] : (["record_id"] as const)),
    ...(types === undefined ? [] : (["type"] as const)),
    ...(since === undefined ? [] : (["since"] as const)),
  ];
}

function cursorOf(position: string | undefined): string {
  const [tx = "", id = ""] = position?.split(" ") ?? [];
  return writePairCursor(tx, id);
}

const DAY = 24 * 3600 * 1000;

/** Before every event of the oldest open transaction, since none of them is a day old, and behind all that is settled. */
function cursorAt(horizon: string): string {
  return writePairCursor(horizon, lowestIdAt(new Date(Date.now() - DAY)));
}

function isForgotten({ id }: PairCursor): boolean {
  return timeOf(id).getTime() < Date.now() - EVENT_DAYS * DAY;
}

function forgotten(): AppError {
  const detail = `This \`cursor\` is older than ${EVENT_DAYS} days, and what followed it is forgotten. Read the records, and begin without a cursor.`;
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/cursor", code: "invalid_cursor", detail }] });
}
