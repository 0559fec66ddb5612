import type { PoolClient } from "pg";

import { answeringTransaction } from "@/lib/database/transactions";
import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { assertNotHere, assertNotUndoing, assertUniqueValuesFree } from "@/lib/records/delete/assert-restorable";
import { lockDeletionsExclusive, RESTORABLE_DAYS, RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { missingWhole, relink, withLiveReferences } from "@/lib/records/delete/restored-links";
import { type DeletedRow, takeDeleted } from "@/lib/records/delete/take-deleted";
import { noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";
import { defaultsOf } from "@/lib/records/schema/write-input";
import { insertRecords, raisedVersion } from "@/lib/records/write/store-records";

const FIND_DELETION = `
  SELECT deletion_id, is_part, record ->> 'migration_id' AS migration_id, migration_id IS NOT NULL AS is_edit
  FROM deleted_records
  WHERE organization_id = $1 AND resource = $2 AND id = $3 AND deleted_at > now() - ${RESTORABLE_INTERVAL}
  ORDER BY deleted_at DESC LIMIT 1 FOR UPDATE`;

interface Found {
  deletion_id: string;
  is_part: boolean;
  migration_id: string | null;
  /**
   * Whether restoring it is an edit: a migration has deleted it, and its next delta meets the same deletion in the
   * source again, because their windows overlap.
   */
  is_edit: boolean;
}

/**
 * Restores a deleted record with its parts, and sets references to it again unless they point elsewhere by now. Its own
 * references that lead nowhere any more are cleared. Throws `not_found`, or `conflict` when another record has one of
 * its unique values, when it is part of a deleted record, or while the migration that imported it is undone.
 */
export function restoreRecord(entity: Entity, context: Context, id: string): Promise<JsonText> {
  if (!isId(id)) throw nothingToRestore(entity);
  return answeringTransaction(context, async (client) => {
    // Of two linked records that are restored at once, neither would find the other, and their link would be lost.
    await lockDeletionsExclusive(client, context.organizationId);
    const found = await client.query<Found>(FIND_DELETION, [context.organizationId, entity.resource, id]);
    const [deletion] = found.rows;
    if (!deletion) throw nothingToRestore(entity);
    if (deletion.is_part) throw missingWhole(entity);
    await assertNotUndoing(client, entity, context.organizationId, deletion.migration_id);
    const take = (areParts: boolean) =>
      takeDeleted(client, context.organizationId, [deletion.deletion_id], { areParts });
    const own = (await take(false).next()).value ?? [];
    const restored = await reinsert(client, context, entity, own, deletion.is_edit);
    for await (const parts of take(true)) await restoreParts(client, context, parts, deletion.is_edit);
    for (const { cleared } of own) await relink(client, context, id, cleared);
    return new JsonText(restored ?? "null");
  });
}

/** Inserts deleted parts again. `isEdit`: they count as edited here. */
export async function restoreParts(
  client: PoolClient,
  context: Pick<Context, "organizationId">,
  parts: readonly DeletedRow[],
  isEdit: boolean,
): Promise<void> {
  for (const [resource, some] of Map.groupBy(parts, (row) => row.resource))
    if (isResource(resource)) await reinsert(client, context, ENTITIES[resource], some, isEdit);
}

function nothingToRestore(entity: Entity): AppError {
  const { code } = noSuchRecord(entity);
  return new AppError(
    code,
    `No ${entity.label} with this id was deleted in the last ${RESTORABLE_DAYS} days, or it is already restored.`,
  );
}

/**
 * Inserts the rows again and returns the JSON of the first. Only a record that was deleted by itself, not as a part,
 * emits an event.
 */
async function reinsert(
  client: PoolClient,
  context: Pick<Context, "organizationId">,
  entity: Entity,
  rows: readonly DeletedRow[],
  isEdit: boolean,
): Promise<string | undefined> {
  const now = new Date().toISOString();
  const records = await withLiveReferences(
    client,
    context,
    entity,
    rows.map(({ record }) => record),
  );
  await assertNotHere(client, entity, context.organizationId, records);
  await assertUniqueValuesFree(client, entity, context.organizationId, records);
  // A field that was added after the deletion gets the default of a new record.
  const live = records.map((record) => ({
    ...defaultsOf(entity),
    ...record,
    ...raisedVersion(record, isEdit),
    updated_at: now,
  }));
  const events = rows.flatMap(({ id, is_part }) =>
    is_part ? [] : [{ action: "created", recordId: id, previous: null }],
  );
  const stored = await insertRecords(client, context, entity, live, events);
  for (const row of rows) await restoreAliases(client, context.organizationId, row);
  return stored[0]?.json;
}

/** Lets the other external ids of a restored record lead to it again, unless another record has them by now. */
export async function restoreAliases(
  client: PoolClient,
  organizationId: string,
  { resource, id, aliases, record }: DeletedRow,
): Promise<void> {
  if (aliases.length === 0 || !isResource(resource)) return;
  await client.query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
      SELECT $1, alias, $2, $3, $5 FROM unnest($4::text[]) AS alias
      WHERE NOT EXISTS (SELECT FROM ${resource} AS t WHERE t.organization_id = $1 AND t.ext_id = alias)
      ON CONFLICT DO NOTHING`,
    [organizationId, resource, id, aliases, record.migration_id ?? null],
  );
}
