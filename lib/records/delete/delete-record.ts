import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";
import { FAN_OUT, QUEUED_WEBHOOKS } from "@/lib/webhooks/fan-out";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { newId } from "@/lib/ids";
import { assertRecordId } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { relationsTo } from "@/lib/records/schema/registry";
import { RAISE_VERSION } from "@/lib/records/write/store-records";
import { retireCaseNumber } from "@/lib/records/write/service-fields";
import { lockRecord, type LockedRecord } from "@/lib/records/write/lock-records";

/** How long a deleted record can be restored. */
export const RESTORABLE_DAYS = 30;

/** References that a deletion has cleared: the `field` of these records pointed at the deleted one. */
export interface Cleared {
  resource: string;
  field: string;
  ids: string[];
}

export interface Deleted {
  id: string;
  deleted: true;
  restorable_until: string;
}

/**
 * Deletes one record and emits its event. Its parts are deleted with it, and references to it are cleared; `POST
 * …/{id}/restore` restores both within 30 days. Throws `not_found` and `precondition_failed`.
 */
export function deleteRecord(entity: Entity, context: Context, id: string): Promise<Deleted> {
  assertRecordId(entity, id);
  return retriedTransaction(async (client) => {
    await lockDeletionsShared(client, context.organizationId);
    await deleteWithin({ client, context, deletionId: newId(), migrationId: null, emits: true }, entity, id);
    const until = new Date(Date.now() + RESTORABLE_DAYS * 24 * 3600 * 1000);
    return { id, deleted: true, restorable_until: until.toISOString() };
  });
}

/** As {@link deleteRecord}, in the transaction of the caller, who has locked deletions. */
export async function deleteWithin(deletion: Deletion, entity: Entity, id: string): Promise<void> {
  const { client, context } = deletion;
  const record = await lockRecord(client, entity, context, id, "UPDATE");
  if (entity.resource === "cases") await retireCaseNumber(client, context.organizationId, id);
  const cleared: Cleared[] = [];
  for (const { from, field, isPart } of relationsTo(entity.resource)) {
    if (isPart) await moveToDeleted(deletion, from, field, id, []);
    else cleared.push({ resource: from.resource, field, ids: await clearReferences(deletion, from, field, id) });
  }
  await moveToDeleted(
    deletion,
    entity,
    "id",
    id,
    cleared.filter(({ ids }) => ids.length > 0),
  );
  if (deletion.emits) await emitDeleted(client, context, entity, record);
}

export interface Deletion {
  client: PoolClient;
  context: Pick<Context, "organizationId" | "userId" | "preconditions">;
  deletionId: string;
  /** The migration that deletes it because it was deleted in the source; null: somebody deletes it here. */
  migrationId: string | null;
  emits: boolean;
}

/** A reference of the record to itself stays: it is deleted and restored with the record. */
async function clearReferences(
  { client, context }: Deletion,
  { resource }: Entity,
  field: string,
  id: string,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE ${resource} SET "${field}" = NULL, ${RAISE_VERSION}
     WHERE organization_id = $1 AND "${field}" = $2 AND id <> $2 RETURNING id`,
    [context.organizationId, id],
  );
  return rows.map((row) => row.id);
}

/**
 * Moves the rows whose `field` is `id` to the deleted records, with their other external ids, so that an import cannot
 * find them.
 */
async function moveToDeleted(
  { client, context, deletionId, migrationId }: Deletion,
  { resource }: Entity,
  field: string,
  id: string,
  cleared: readonly Cleared[],
) {
  await client.query(
    `WITH deleted AS (DELETE FROM ${resource} t WHERE organization_id = $1 AND "${field}" = $2 RETURNING t.*),
       aliases AS (
         DELETE FROM ext_aliases a USING deleted
         WHERE a.organization_id = $1 AND a.record_id = deleted.id
         RETURNING a.record_id, a.ext_id
       )
     INSERT INTO deleted_records (
       organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id, migration_id, is_part, record,
       cleared, aliases)
     SELECT $1, $3, $4, deleted.id, deleted.ext_id, now(), $5, $8, $6, to_jsonb(deleted), $7,
       ARRAY(SELECT aliases.ext_id FROM aliases WHERE aliases.record_id = deleted.id)
     FROM deleted`,
    [
      context.organizationId,
      id,
      deletionId,
      resource,
      context.userId,
      field !== "id",
      JSON.stringify(cleared),
      migrationId,
    ],
  );
}

const DELETIONS_LOCK = "hashtextextended('deletions ' || $1, 0)";

/**
 * Waits for running deletions of the organization's records and blocks new ones until the transaction ends. The next
 * statement sees what they deleted.
 */
export async function lockDeletionsExclusive(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${DELETIONS_LOCK})`, [organizationId]);
}

/**
 * Waits until no transaction blocks deletions; other deletions run meanwhile. It is the first statement of a deletion,
 * which therefore holds no lock while it waits.
 */
async function lockDeletionsShared(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(${DELETIONS_LOCK})`, [organizationId]);
}

const EMIT = `
  WITH emitted AS (
    INSERT INTO events (organization_id, id, created_at, type, record_id, object) VALUES ($1, $2, now(), $3, $4, $5)
    RETURNING organization_id, id, tx, type
  ), ${FAN_OUT}
  SELECT ${QUEUED_WEBHOOKS} AS webhooks`;

/** Emits the event of a deletion, with the record as it last was. */
async function emitDeleted(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  entity: Entity,
  record: LockedRecord,
): Promise<void> {
  const type = `${entity.singular}.deleted`;
  const { rows } = await client.query<{ webhooks: string[] }>(EMIT, [
    organizationId,
    newId(),
    type,
    record.id,
    record.json,
  ]);
  enqueueAfterCommit(client, organizationId, rows[0]?.webhooks ?? []);
}
