import type { QueryConfig } from "pg";

import { pool } from "@/lib/database/db";
import type { ListRequest } from "@/lib/records/list/list-input";
import { behindCursor, orderOf } from "@/lib/records/list/list-order";
import { filtersOf, LIMIT, positionOf, sourceOf } from "@/lib/records/list/list-statement";
import { searchCondition } from "@/lib/records/list/search-condition";
import { sortedFound } from "@/lib/records/list/list-where";
import type { Entity } from "@/lib/records/schema/entity";
import type { Bind } from "@/lib/records/schema/record-sql";

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

/**
 * The query of the next records that a search finds, in the list's order: the ids of a limit and one more, each with
 * what the list is sorted by.
 */
function foundStatement(entity: Entity, organizationId: string, request: ListRequest): QueryConfig {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const organization = `organization_id = ${bind(organizationId)}`;
  const position = positionOf(request, bind);
  const behind = request.cursorKey === undefined ? undefined : behindCursor(entity, request, bind);
  const conditions = [organization, ...position, ...filtersOf(request, bind)];
  const from = sourceOf(entity, request, conditions, searchCondition(entity, request.q ?? "", bind));
  const { sort } = request;
  if (sort === undefined) {
    const found = `WITH found AS MATERIALIZED (SELECT id FROM ${from})`;
    return { text: `${found} SELECT id, NULL AS key FROM found${orderOf(entity, request)} LIMIT ${LIMIT}`, values };
  }
  const next = sortedFound(entity, { ...request, sort }, { organization, behind, from }, "id, key");
  return { text: `SELECT id, key::text FROM (${next} LIMIT ${LIMIT}) AS next`, values };
}
