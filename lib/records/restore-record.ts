import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { referenceText } from "@/lib/records/check-references";
import { columnsOf } from "@/lib/records/columns";
import { type Cleared, RESTORABLE_DAYS } from "@/lib/records/delete-record";
import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";
import { noSuchRecord } from "@/lib/records/get-record";
import { inLockOrder } from "@/lib/records/look-up";
import { ENTITIES, isResource } from "@/lib/records/registry";
import { insertRecords } from "@/lib/records/store-records";
import { explainConflict } from "@/lib/records/write-conflict";
import type { Values } from "@/lib/records/write-input";
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
  SELECT deletion_id FROM deleted_records
  WHERE organization_id = $1 AND resource = $2 AND id = $3 AND NOT is_part AND deleted_at > now() - $4 * interval '1 day'
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
    const found = await client.query<{ deletion_id: string }>(FIND, [context.organizationId, entity.resource, id, RESTORABLE_DAYS]);
    if (!found.rows[0]) throw nothingToRestore(entity);
    const { rows } = await client.query<DeletedRow>(TAKE, [context.organizationId, found.rows[0].deletion_id]);
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
  const live = records.map((record) => ({ ...record, version: (record.version as number) + 1, updated_at: now }));
  const events = rows.flatMap(({ id, is_part }) => (is_part ? [] : [{ action: "created", recordId: id, previous: null }]));
  const stored = await insertRecords(client, context, entity, live, events).catch((error: unknown) => {
    throw explainConflict(error, entity);
  });
  for (const { id, aliases } of rows) {
    await client.query(
      `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id) SELECT $1, ext_id, $2, $3 FROM unnest($4::text[]) AS ext_id ON CONFLICT DO NOTHING`,
      [context.organizationId, entity.resource, id, aliases],
    );
  }
  return stored[0]?.json;
}

/** The records, without what they point at and is gone. Throws `conflict` for one that cannot be without it. */
async function withLiveReferences(client: PoolClient, { organizationId }: Context, entity: Entity, records: readonly Values[]): Promise<Values[]> {
  let live = [...records];
  for (const [name, { references, required }] of Object.entries<Field>(entity.fields)) {
    const wanted = new Set(records.flatMap((record) => (typeof record[name] === "string" ? [record[name]] : [])));
    if (!references || references === "users" || wanted.size === 0) continue;
    const { rows } = await client.query<{ id: string }>(referenceText(references), [organizationId, inLockOrder([...wanted])]);
    const present = new Set<unknown>(rows.map(({ id }) => id));
    if (required && present.size < wanted.size) throw withoutWhole(entity, name);
    live = live.map((record) => (present.has(record[name]) ? record : { ...record, [name]: null }));
  }
  return live;
}

/** A part cannot be without what it is a part of. */
function withoutWhole(entity: Entity, field: string): AppError {
  const detail = `The record that this ${entity.label} belongs to was deleted too. Restore that record first.`;
  return new AppError("conflict", detail, { errors: [{ pointer: `/${field}`, code: "not_found", detail }] });
}

async function pointAgain(client: PoolClient, { organizationId }: Context, id: string, cleared: readonly Cleared[]): Promise<void> {
  for (const { resource, field, ids } of cleared) {
    if (!isResource(resource) || !columnsOf(ENTITIES[resource]).some(({ name }) => name === field)) continue;
    await client.query(
      `UPDATE ${resource} SET "${field}" = $2, version = version + 1, updated_at = now()
       WHERE organization_id = $1 AND id = ANY ($3::uuid[]) AND "${field}" IS NULL`,
      [organizationId, id, ids],
    );
  }
}
