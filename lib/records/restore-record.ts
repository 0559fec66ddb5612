import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { type Cleared, RESTORABLE_DAYS } from "@/lib/records/delete-record";
import type { Entity } from "@/lib/records/entity";
import { noSuchRecord } from "@/lib/records/get-record";
import { ENTITIES, isResource } from "@/lib/records/registry";
import { partWithoutWhole, pointAgain, withLiveReferences } from "@/lib/records/restored-links";
import { insertRecords } from "@/lib/records/store-records";
import { explainConflict, refuseTaken } from "@/lib/records/write-conflict";
import { defaultsOf, type Values } from "@/lib/records/write-input";
import { retriedTransaction } from "@/lib/retried-transaction";

interface DeletedRow {
  deletion_id: string;
  resource: string;
  id: string;
  is_part: boolean;
  record: Values;
  cleared: Cleared[];
  aliases: string[];
}

const FIND = `
  SELECT deletion_id, is_part FROM deleted_records
  WHERE organization_id = $1 AND resource = $2 AND id = $3 AND deleted_at > now() - $4 * interval '1 day'
  ORDER BY deleted_at DESC LIMIT 1 FOR UPDATE`;

const TAKE = `
  DELETE FROM deleted_records WHERE organization_id = $1 AND deletion_id = $2
  RETURNING deletion_id, resource, id, is_part, record, cleared, aliases`;

/**
 * Brings a deleted record back with its parts, and has what pointed at it point at it again, unless it points elsewhere by now. References
 * of its own that lead nowhere any more are left empty. Throws `not_found`, or `conflict` when another record has one of its unique values, or
 * when it is a part of a record that is deleted.
 */
export function restoreRecord(entity: Entity, context: Context, id: string): Promise<JsonText> {
  if (!isId(id)) throw nothingToRestore(entity);
  return retriedTransaction(async (client) => {
    const found = await client.query<{ deletion_id: string; is_part: boolean }>(FIND, [context.organizationId, entity.resource, id, RESTORABLE_DAYS]);
    const [deletion] = found.rows;
    if (!deletion) throw nothingToRestore(entity);
    if (deletion.is_part) throw partWithoutWhole(entity);
    const { rows } = await client.query<DeletedRow>(TAKE, [context.organizationId, deletion.deletion_id]);
    const own = rows.filter(({ is_part }) => !is_part);
    const restored = await putBack(client, context, entity, own);
    for (const [resource, parts] of Map.groupBy(
      rows.filter(({ is_part }) => is_part),
      (row) => row.resource,
    )) {
      if (isResource(resource)) await putBack(client, context, ENTITIES[resource], parts);
    }
    for (const { cleared } of own) await pointAgain(client, context, id, cleared);
    return new JsonText(restored ?? "null");
  });
}

function nothingToRestore(entity: Entity): AppError {
  const { code } = noSuchRecord(entity);
  return new AppError(code, `No ${entity.label} with this id was deleted in the last ${RESTORABLE_DAYS} days, or it is here already.`);
}

/** Inserts rows as they were and gives the JSON of the first. Only a record that was deleted by itself is told of. */
async function putBack(client: PoolClient, context: Context, entity: Entity, rows: readonly DeletedRow[]): Promise<string | undefined> {
  const now = new Date().toISOString();
  const records = await withLiveReferences(
    client,
    context,
    entity,
    rows.map(({ record }) => record),
  );
  await refuseTaken(client, entity, context.organizationId, records);
  // A field that is younger than the deletion gets what a new record would have.
  const live = records.map((record) => ({ ...defaultsOf(entity), ...record, version: (record.version as number) + 1, updated_at: now }));
  const events = rows.flatMap(({ id, is_part }) => (is_part ? [] : [{ action: "created", recordId: id, previous: null }]));
  const stored = await insertRecords(client, context, entity, live, events).catch((error: unknown) => {
    throw explainConflict(error, entity, live);
  });
  for (const { id, aliases } of rows) {
    await client.query(
      `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id) SELECT $1, ext_id, $2, $3 FROM unnest($4::text[]) AS ext_id ON CONFLICT DO NOTHING`,
      [context.organizationId, entity.resource, id, aliases],
    );
  }
  return stored[0]?.json;
}
