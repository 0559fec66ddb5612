import type { PoolClient } from "pg";

import type { Entity } from "@/lib/records/entity";
import { selectList } from "@/lib/records/select-json";
import type { Values } from "@/lib/records/write-input";

/** A record as it is at this moment: as the API gives it, and as JSON text. */
export interface LockedRecord {
  id: string;
  json: string;
  values: Values & { version: number };
}

/**
 * `NO KEY UPDATE` is enough for who changes records without deleting them, and lets others write references to them meanwhile
 * (PostgreSQL, explicit locking: row-level locks).
 */
type Strength = "UPDATE" | "NO KEY UPDATE";

/** Holds records until the transaction ends, in the order of their ids, so that two batches cannot wait for each other. */
export async function lockRecords(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  ids: readonly string[],
  strength: Strength = "UPDATE",
): Promise<LockedRecord[]> {
  const { rows } = await client.query<{ id: string; json: string }>({
    name: `lock ${entity.resource} for ${strength}`,
    text: `SELECT id, row_to_json(record)::text AS json FROM (
        SELECT ${selectList(entity)} FROM ${entity.resource} WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR ${strength}
      ) AS record`,
    values: [organizationId, ids],
  });
  return rows.map((row) => ({ ...row, values: JSON.parse(row.json) as LockedRecord["values"] }));
}
