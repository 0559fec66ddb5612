import { pool } from "@/lib/database/db";
import type { ListRequest } from "@/lib/records/list/list-input";
import { foundStatement } from "@/lib/records/list/list-statement";
import type { Entity } from "@/lib/records/schema/entity";

interface Found {
  ids: string[];
  /** The request of those behind them; null if these are all. */
  next: ListRequest | null;
}

/** The ids of the next records that a search finds, in the list's order: as many as the request's limit says. */
export async function findRecords(entity: Entity, organizationId: string, request: ListRequest): Promise<Found> {
  const statement = foundStatement(entity, organizationId, request);
  const { rows } = await pool().query<{ id: string; key: string | null }>(statement);
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const next =
    last && rows.length > shown.length ? { ...request, cursor: last.id, cursorKey: last.key ?? undefined } : null;
  return { ids: shown.map(({ id }) => id), next };
}
