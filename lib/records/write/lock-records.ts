import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { assertPreconditions } from "@/lib/preconditions";
import { noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { selectList } from "@/lib/records/schema/record-sql";
import type { Values } from "@/lib/records/schema/write-input";

/** A record as it is at this moment: as the API gives it, and as JSON text. */
export interface LockedRecord {
  id: string;
  json: string;
  values: Values & { version: number };
}

/** What locks records: $1 is the organization, and $2 their ids or external ids. */
export function lockText(entity: Entity, column: "id" | "ext_id", lock: Lock): string {
  return `SELECT record.id, row_to_json(record)::text AS json
    FROM ${lookupEach(entity.resource, column, selectList(entity), lock)}`;
}

/**
 * Holds records until the transaction ends, in the order of their ids, so that nobody else changes or deletes them;
 * others may refer to them meanwhile. Who deletes them asks for `UPDATE`, for which nobody may.
 */
export function lockRecords(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  ids: readonly string[],
  lock: Lock = "NO KEY UPDATE",
): Promise<LockedRecord[]> {
  return lockAll(client, `lock ${entity.resource} for ${lock}`, lockText(entity, "id", lock), organizationId, ids);
}

/** Locks one record. Throws `not_found`, and `precondition_failed` by the preconditions of the request. */
export async function lockRecord(
  client: PoolClient,
  entity: Entity,
  { organizationId, preconditions }: Context,
  id: string,
  lock?: Lock,
): Promise<LockedRecord> {
  const [record] = await lockRecords(client, entity, organizationId, [id], lock);
  if (!record) throw noSuchRecord(entity);
  assertPreconditions(preconditions, { id, version: record.values.version });
  return record;
}

/** As {@link lockRecords}, by external ids. */
export function lockByExtIds(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  extIds: readonly string[],
  lock: Lock = "NO KEY UPDATE",
): Promise<LockedRecord[]> {
  return lockAll(
    client,
    `lock ${entity.resource} by ext_id for ${lock}`,
    lockText(entity, "ext_id", lock),
    organizationId,
    extIds,
  );
}

/**
 * The lock for such changes. PostgreSQL changes a value that must be unique only while nobody refers to the record; who
 * waited for that amid the change would hold it already, and wait in a circle with those who refer to it.
 */
export function lockForChange({ fields }: Entity, changes: readonly Values[]): Lock {
  const unique = Object.entries<Field>(fields).flatMap(([name, field]) => (field.unique ? [name] : []));
  return changes.some((values) => unique.some((name) => Object.hasOwn(values, name))) ? "UPDATE" : "NO KEY UPDATE";
}

async function lockAll(
  client: PoolClient,
  name: string,
  text: string,
  organizationId: string,
  values: readonly string[],
): Promise<LockedRecord[]> {
  // A named statement may keep a plan that was made when the table was tiny: no harm for one record, but for 200.
  const { rows } = await client.query<{ id: string; json: string }>({
    ...(values.length === 1 && { name }),
    text,
    values: [organizationId, inLockOrder(values)],
  });
  return rows.map((row) => ({ ...row, values: JSON.parse(row.json) as LockedRecord["values"] }));
}

/**
 * `KEY SHARE`: it cannot be deleted. `NO KEY UPDATE`: nor changed; others may still refer to it. `UPDATE`: nor that
 * (PostgreSQL, row-level locks).
 */
type Lock = "KEY SHARE" | "NO KEY UPDATE" | "UPDATE";

/**
 * SQL: `record`, the rows of `table` in the organization $1 that have one of the `values`, locked, if at all, in their
 * order. Each is looked up by itself, in a range of one value and in its order, which only the index over that column
 * can give: for a list of values, and for an equality too, PostgreSQL walks through the whole organization by another
 * index where it has no statistics yet (30,000 records: 10 ms and more, and 0.05 ms so).
 */
export function lookupEach(
  table: string,
  column: "id" | "ext_id",
  selected: string,
  lock?: Lock,
  values = "$2",
): string {
  return `unnest(${values}::${column === "id" ? "uuid" : "text"}[]) AS wanted (value) CROSS JOIN LATERAL (
      SELECT ${selected} FROM ${table} AS t WHERE organization_id = $1 AND t.${column} BETWEEN wanted.value AND wanted.value
      ORDER BY t.${column} LIMIT 1${lock ? ` FOR ${lock}` : ""}
    ) AS record`;
}

/** Each value once, in the order in which everybody locks, so that two batches do not wait for each other. */
export function inLockOrder(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
