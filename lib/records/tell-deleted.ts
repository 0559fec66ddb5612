import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Entity } from "@/lib/records/entity";
import type { LockedRecord } from "@/lib/records/lock-records";
import { FAN_OUT, QUEUED_WEBHOOKS, sendAfterCommit } from "@/lib/webhooks/fan-out";

const TELL = `
  WITH told AS (
    INSERT INTO events (organization_id, id, created_at, type, record_id, object) VALUES ($1, $2, now(), $3, $4, $5)
    RETURNING organization_id, id, tx, type
  ), ${FAN_OUT}
  SELECT ${QUEUED_WEBHOOKS} AS webhooks`;

/** Tells of a deletion, with the record as it last was. */
export async function tellDeleted(client: PoolClient, { organizationId }: Context, entity: Entity, record: LockedRecord): Promise<void> {
  const type = `${entity.singular}.deleted`;
  const { rows } = await client.query<{ webhooks: string[] }>(TELL, [organizationId, newId(), type, record.id, record.json]);
  sendAfterCommit(client, organizationId, rows[0]?.webhooks ?? []);
}
