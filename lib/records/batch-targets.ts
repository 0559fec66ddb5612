import type { PoolClient } from "pg";

import type { BatchItem } from "@/lib/records/batch-items";
import type { Entity } from "@/lib/records/entity";
import { lockByExtIds, type LockedRecord, lockForChange, lockRecords } from "@/lib/records/lock-records";

/** The records that items are about, locked until the transaction ends. */
export interface Targets {
  byId: Map<string, LockedRecord>;
  byExtId: Map<string, LockedRecord>;
}

export async function findTargets(client: PoolClient, entity: Entity, organizationId: string, items: readonly BatchItem[]): Promise<Targets> {
  const ids = items.flatMap((item) => (item.action === "update" ? [item.id] : []));
  const extIds = items.flatMap((item) => (item.action === "upsert" ? [item.ext_id] : []));
  const lock = lockForChange(
    entity,
    items.flatMap((item) => (item.action === "create" ? [] : [item.data])),
  );
  const byId = ids.length > 0 ? await lockRecords(client, entity, organizationId, ids, lock) : [];
  const byExtId = extIds.length > 0 ? await lockByExtIds(client, entity, organizationId, extIds, lock) : [];
  return {
    byId: new Map(byId.map((record) => [record.id, record])),
    byExtId: new Map(byExtId.map((record) => [record.values.ext_id as string, record])),
  };
}
