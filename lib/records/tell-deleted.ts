import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Entity } from "@/lib/records/entity";
import type { LockedRecord } from "@/lib/records/lock-records";

/** Tells of a deletion, with the record as it last was. */
export async function tellDeleted(client: PoolClient, { organizationId }: Context, entity: Entity, record: LockedRecord): Promise<void> {
  const type = `${entity.singular}.deleted`;
  await client.query(`INSERT INTO events (organization_id, id, created_at, type, record_id, object) VALUES ($1, $2, now(), $3, $4, $5)`, [
    organizationId,
    newId(),
    type,
    record.id,
    record.json,
  ]);
}
