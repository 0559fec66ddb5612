import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { MAX_BATCH_ITEMS } from "@/lib/input/limits";
import type { BatchItem } from "@/lib/records/batch/batch-items";
import type { Entity } from "@/lib/records/schema/entity";
import { fits, MAX_PAGE_BYTES, selectWithinBytes, maxBytesOfView, selectView } from "@/lib/records/schema/record-sql";
import {
  lockByExtIds,
  type LockedRecord,
  lockForChange,
  lockRecords,
  lookupEach,
  inLockOrder,
} from "@/lib/records/write/lock-records";

/** The records of the items, locked until the transaction ends. */
export interface Targets {
  byId: Map<string, LockedRecord>;
  byExtId: Map<string, LockedRecord>;
}

function idsOf(items: readonly BatchItem[]): string[] {
  return items.flatMap((item) => (item.action === "update" ? [item.id] : []));
}

function extIdsOf(items: readonly BatchItem[]): string[] {
  return items.flatMap((item) => (item.action === "upsert" ? [item.ext_id] : []));
}

const TOO_LARGE =
  "The records to change have more than 8 MiB together, and so would the response. Send fewer items at once.";

/**
 * Throws `payload_too_large`, before records are read, for items whose records are together too large for a response. A
 * single record never is. A record that is named by id and by external id is sent twice and counts twice.
 */
export async function assertTargetsFit(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  items: readonly BatchItem[],
): Promise<void> {
  const [ids, extIds] = [idsOf(items), extIdsOf(items)];
  if (ids.length + extIds.length < 2) return;
  const values = [organizationId, inLockOrder(ids), inLockOrder(extIds)];
  const { rows } = await client.query<{ fits: boolean }>(targetsFitText(entity), values);
  if (rows[0]?.fits) return;
  const { rows: walked } = await client.query<{ has_more: boolean }>(targetsWalkText(entity), values);
  if (walked[0]?.has_more) throw new AppError("payload_too_large", TOO_LARGE);
}

function targetsText(entity: Entity): string {
  return `SELECT record.* FROM ${lookupEach(entity.resource, "id", "t.*")}
    UNION ALL SELECT record.* FROM ${lookupEach(entity.resource, "ext_id", "t.*", undefined, "$3")}`;
}

function targetsFitText(entity: Entity): string {
  return `SELECT ${fits(maxBytesOfView(entity, {}, "record"), MAX_PAGE_BYTES)} AS fits
    FROM (${targetsText(entity)}) AS record`;
}

function targetsWalkText(entity: Entity): string {
  const [columns, limit] = [selectView(entity, {}, "page"), String(MAX_BATCH_ITEMS)];
  const written = { columns, json: "row_to_json(record)::text", limit };
  return `SELECT has_more FROM (${selectWithinBytes(written, targetsText(entity), "page.id")}) AS walked`;
}

export async function findTargets(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  items: readonly BatchItem[],
): Promise<Targets> {
  const ids = idsOf(items);
  const extIds = extIdsOf(items);
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
