import type { QueryConfig } from "pg";

import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { timeOf } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { type EventFilter, type EventOrder, eventsText } from "@/lib/records/events-statement";
import { isPage } from "@/lib/records/page-bytes";

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

const ENDS: Record<EventOrder, Position> = {
  asc: { tx: "0", id: "00000000-0000-0000-0000-000000000000" },
  desc: { tx: "9".repeat(18), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
};

interface PageRow {
  records: string | null;
  last: string | null;
  has_more: boolean;
}

/**
 * One page of an organization's events, as JSON that PostgreSQL has written. The cursor is the id of an event, whose place is looked up: an event does
 * not change, and is there for as long as what follows it can be read. So the last event that a client has seen is where to ask for what is new.
 * Throws `invalid_request` for a cursor that is no event of the organization, or beyond which events have been forgotten.
 */
export async function listEvents(organizationId: string, request: EventsRequest): Promise<JsonText> {
  const { limit, order, cursor, record_id, types, since } = request;
  if (order === "asc" && cursor !== undefined && isForgotten(cursor)) throw forgotten();
  const filters = filtersOf(request);
  const { tx, id } = cursor === undefined ? ENDS[order] : await positionOf(organizationId, cursor);
  const values = [organizationId, tx, id, limit + 1, record_id, types, since];
  const page = await read({ name: ["events", order, ...filters].join(" "), text: eventsText(order, filters), values });
  return new JsonText(envelope(isPage(page.records) ? page : await read({ text: eventsText(order, filters, true), values })));
}

export const EVENT_POSITION = "SELECT tx, id FROM events WHERE organization_id = $1 AND id = $2";

async function positionOf(organizationId: string, cursor: string): Promise<Position> {
  const { rows } = await pool().query<Position>({ name: "event position", text: EVENT_POSITION, values: [organizationId, cursor] });
  if (!rows[0]) throw forgotten();
  return rows[0];
}

async function read(statement: QueryConfig): Promise<PageRow> {
  const { rows } = await pool().query<PageRow>(statement);
  if (!rows[0]) throw new Error("An aggregate gave no row.");
  return rows[0];
}

function envelope({ records, last, has_more }: PageRow): string {
  return `{"data":[${records ?? ""}],"next_cursor":${JSON.stringify(has_more ? last : null)},"has_more":${has_more}}`;
}

function filtersOf({ record_id, types, since }: EventsRequest): EventFilter[] {
  return [
    ...(record_id === undefined ? [] : (["record_id"] as const)),
    ...(types === undefined ? [] : (["type"] as const)),
    ...(since === undefined ? [] : (["since"] as const)),
  ];
}

function isForgotten(id: string): boolean {
  return timeOf(id).getTime() < Date.now() - EVENT_DAYS * 24 * 3600 * 1000;
}

function forgotten(): AppError {
  const detail = `This \`cursor\` is no event of the last ${EVENT_DAYS} days. If it was one, what followed it is forgotten: read the records, and begin without a cursor.`;
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/cursor", code: "invalid_cursor", detail }] });
}
