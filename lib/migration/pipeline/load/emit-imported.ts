import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import type { Entity } from "@/lib/records/schema/entity";
import { selectView } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { PACED_FAN_OUT, PACED_WEBHOOKS } from "@/lib/webhooks/fan-out";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";

/** The id by which records are found that exist already. */
export type LoadKey = "ext_id" | "id";

export function sqlTypeOf(by: LoadKey): "uuid" | "text" {
  return by === "id" ? "uuid" : "text";
}

/** Fields that every change changes. `previous` contains only the data of a record. */
const NOT_PREVIOUS = "'version', 'updated_at'";

/** SQL: selects the extra event of a change that has one, as a write by the API emits it: after `updated`. */
function extraText({ extraEvent }: Entity): string {
  if (!extraEvent) return "";
  const { action, field, value } = extraEvent;
  const isReached = value === undefined ? "" : ` AND object -> '${field}' = '${JSON.stringify(value)}'`;
  return `UNION ALL SELECT extra_id, '${action}'
      WHERE NOT inserted AND before -> '${field}' <> object -> '${field}'${isReached}`;
}

/**
 * The part of a WITH clause that emits events. It follows `stored`, which has the new rows and `inserted`. $1: the
 * organization; `eventIds`: the parameter with {@link eventIdsFor} the rows. The old rows are read in the same
 * statement, which does not see its own changes.
 */
export function emitClause(resource: ResourceName, by: LoadKey = "ext_id", eventIds = "$4"): string {
  const entity: Entity = ENTITIES[resource];
  const shaped = (row: string) => `(SELECT to_jsonb(record) FROM (SELECT ${selectView(entity, {}, row)}) AS record)`;
  return `changed AS (
  SELECT stored.id, stored.inserted, event_id, extra_id, ${shaped("stored")} AS object, before.object AS before
  FROM stored JOIN json_to_recordset(${eventIds}::json)
    AS event_ids(${by} ${sqlTypeOf(by)}, event_id uuid, extra_id uuid) USING (${by})
  LEFT JOIN LATERAL (
    SELECT ${shaped("old")} AS object FROM ${resource} AS old
    WHERE old.organization_id = $1::uuid AND old.${by} = stored.${by} LIMIT 1
  ) AS before ON NOT stored.inserted
), emitted AS (
  INSERT INTO events (organization_id, id, created_at, type, record_id, object, previous)
  SELECT $1::uuid, event.id, now(), '${entity.singular}.' || event.action, changed.id, object,
    CASE WHEN NOT inserted THEN (
      SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(before)
      WHERE value <> object -> key AND key NOT IN (${NOT_PREVIOUS})
    ) END
  FROM changed CROSS JOIN LATERAL (
    SELECT event_id AS id, CASE WHEN inserted THEN 'created' ELSE 'updated' END AS action ${extraText(entity)}
  ) AS event
  RETURNING organization_id, id, tx, type
), ${PACED_FAN_OUT}`;
}

/**
 * The part of a WITH clause that emits deletions. It follows `deleted`, which has the rows. $1: the organization;
 * `eventIds`: the parameter with {@link eventIdsFor} the rows, or the ids of the deletions.
 */
export function emitDeletedClause(resource: ResourceName, by: LoadKey, eventIds: string): string {
  const entity: Entity = ENTITIES[resource];
  return `emitted AS (
  INSERT INTO events (organization_id, id, created_at, type, record_id, object)
  SELECT $1::uuid, event_id, now(), '${entity.singular}.deleted', deleted.id,
    (SELECT to_jsonb(record) FROM (SELECT ${selectView(entity, {}, "deleted")}) AS record)
  FROM deleted JOIN json_to_recordset(${eventIds}::json)
    AS event_ids(${by} ${sqlTypeOf(by)}, event_id uuid) USING (${by})
  RETURNING organization_id, id, tx, type
), ${PACED_FAN_OUT}`;
}

/** Selects, after one of these, the input of {@link enqueueEmitted}. */
export const EMITTED_WEBHOOKS = `${PACED_WEBHOOKS} AS webhooks`;

/** Ids for the events of records, in the order of the records. Those of an unchanged record stay unused. */
export function eventIdsFor(ids: readonly string[], by: LoadKey = "ext_id"): string {
  return JSON.stringify(ids.map((id) => ({ [by]: id, event_id: newId(), extra_id: newId() })));
}

/** Locks records, so that the next statement finds and changes the state that its events describe. */
export async function lockImported(
  client: PoolClient,
  resource: ResourceName,
  organizationId: string,
  ids: readonly string[],
  by: LoadKey = "ext_id",
): Promise<void> {
  const lock = `SELECT FROM ${resource} WHERE organization_id = $1 AND ${by} = ANY ($2::${sqlTypeOf(by)}[]) ORDER BY id
    FOR NO KEY UPDATE`;
  await client.query(lock, [organizationId, ids]);
}

/** Enqueues the delivery of the emitted events after the commit. */
export function enqueueEmitted(
  client: PoolClient,
  organizationId: string,
  answer: { webhooks?: string[] } | undefined,
): void {
  enqueueAfterCommit(client, organizationId, answer?.webhooks ?? []);
}
