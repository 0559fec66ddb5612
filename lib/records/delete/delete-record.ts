import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";
import { FAN_OUT, QUEUED_WEBHOOKS } from "@/lib/webhooks/fan-out";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { newId } from "@/lib/ids";
import { assertRecordId } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { RAISE_VERSION } from "@/lib/records/write/store-records";
import { retireCaseNumbers } from "@/lib/records/write/service-fields";
import { lockRecord, type LockedRecord } from "@/lib/records/write/lock-records";

/** How long a deleted record can be restored: days of 24 hours, which no time zone of a connection makes longer. */
export const RESTORABLE_DAYS = 30;

/** SQL: the interval of {@link RESTORABLE_DAYS}. */
export const RESTORABLE_INTERVAL = `interval '${RESTORABLE_DAYS * 24} hours'`;

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
    const record = await lockRecord(client, entity, context, id, "UPDATE");
    const deletedAt = await deleteLocked({ client, context, migrationId: null, emits: true }, entity, [record]);
    const until = new Date(deletedAt.getTime() + RESTORABLE_DAYS * 24 * 3600 * 1000);
    return { id, deleted: true, restorable_until: until.toISOString() };
  });
}

export interface Deletion {
  client: PoolClient;
  context: Pick<Context, "organizationId" | "userId">;
  /** The migration that deletes it because it was deleted in the source; null: somebody deletes it here. */
  migrationId: string | null;
  emits: boolean;
}

/**
 * As {@link deleteRecord}, for records that the caller has locked for `UPDATE`, after locking deletions. Each is
 * restored separately. Returns the time of the deletion.
 */
export async function deleteLocked(
  deletion: Deletion,
  entity: Entity,
  records: readonly LockedRecord[],
): Promise<Date> {
  const { client, context } = deletion;
  const targets: Target[] = records.map((record) => ({ ...record, deletionId: newId(), cleared: [] }));
  if (entity.resource === "cases") await retireCaseNumbers(client, context.organizationId, idsOf(records));
  for (const { from, field, isPart } of relationsTo(entity.resource)) {
    if (isPart) await moveToDeleted(deletion, from, field, targets);
    else await clearReferences(deletion, from, field, targets);
  }
  const deletedAt = await moveToDeleted(deletion, entity, "id", targets);
  if (!deletion.emits) return deletedAt;
  for (const target of targets) await emitDeleted(client, context, entity, target);
  return deletedAt;
}

/** A record that is deleted, with the references to it that were cleared. */
interface Target extends LockedRecord {
  deletionId: string;
  cleared: Cleared[];
}

function idsOf(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id);
}

/** A reference of a record to itself stays: it is deleted and restored with the record. */
async function clearReferences(
  { client, context }: Deletion,
  { resource }: Entity,
  field: string,
  targets: readonly Target[],
): Promise<void> {
  const { rows } = await client.query<{ id: string; target: string }>(
    `UPDATE ${resource} AS r SET "${field}" = NULL, ${RAISE_VERSION} FROM unnest($2::uuid[]) AS target (id)
     WHERE r.organization_id = $1 AND r."${field}" = target.id AND r.id <> target.id
     RETURNING r.id, target.id AS target`,
    [context.organizationId, idsOf(targets)],
  );
  const byTarget = Map.groupBy(rows, ({ target }) => target);
  for (const { id, cleared } of targets) {
    const referring = byTarget.get(id);
    if (referring) cleared.push({ resource, field, ids: idsOf(referring) });
  }
}

/**
 * Moves the rows whose `field` is one of the targets to the deleted records, with their other external ids, so that an
 * import cannot find them. What was cleared is kept with the targets themselves. Returns the time that is stored.
 */
async function moveToDeleted(
  { client, context, migrationId }: Deletion,
  { resource }: Entity,
  field: string,
  targets: readonly Target[],
): Promise<Date> {
  const isPart = field !== "id";
  const rows = targets.map(({ id, deletionId, cleared }) => ({
    target_id: id,
    deletion_id: deletionId,
    cleared: isPart ? [] : cleared,
  }));
  const { rows: stored } = await client.query<{ now: Date }>(
    `WITH deleted AS (
       DELETE FROM ${resource} AS t
       USING json_to_recordset($2::json) AS target (target_id uuid, deletion_id uuid, cleared jsonb)
       WHERE t.organization_id = $1 AND t."${field}" = target.target_id
       RETURNING t.id, t.ext_id, to_jsonb(t) AS record, target.deletion_id, target.cleared
     ), aliases AS (
       DELETE FROM ext_aliases a USING deleted
       WHERE a.organization_id = $1 AND a.entity = '${resource}' AND a.record_id = deleted.id
       RETURNING a.record_id, a.ext_id
     ), stored AS (
       INSERT INTO deleted_records (
         organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id, migration_id, is_part, record,
         cleared, aliases)
       SELECT $1, deleted.deletion_id, $3, deleted.id, deleted.ext_id, now(), $4, $5, $6, deleted.record,
         deleted.cleared, ARRAY(SELECT aliases.ext_id FROM aliases WHERE aliases.record_id = deleted.id)
       FROM deleted
     )
     SELECT now()::timestamptz(3) AS now`,
    [context.organizationId, JSON.stringify(rows), resource, context.userId, migrationId, isPart],
  );
  return stored[0]?.now ?? new Date();
}

/** Locks the parts of locked records, so that nobody edits one between a look at them and the deletion. */
export async function lockParts(
  client: PoolClient,
  organizationId: string,
  resource: ResourceName,
  ids: readonly string[],
): Promise<void> {
  for (const { from, field } of relationsTo(resource).filter(({ isPart }) => isPart))
    await client.query(
      `SELECT count(*) FROM (
         SELECT FROM ${from.resource} WHERE organization_id = $1 AND "${field}" = ANY ($2::uuid[])
         ORDER BY id FOR UPDATE) AS locked`,
      [organizationId, ids],
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

/**
 * Emits the event of a deletion, with the record as it last was. It has the deletion's id, and so keeps the deletion's
 * place among the others once the record is restored (`lib/records/delete/list-deleted.ts`).
 */
async function emitDeleted(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  entity: Entity,
  { id, json, deletionId }: Target,
): Promise<void> {
  const type = `${entity.singular}.deleted`;
  const { rows } = await client.query<{ webhooks: string[] }>(EMIT, [organizationId, deletionId, type, id, json]);
  enqueueAfterCommit(client, organizationId, rows[0]?.webhooks ?? []);
}
