import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { Cleared } from "@/lib/records/delete/delete-record";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { columnsOf } from "@/lib/records/schema/record-sql";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";
import type { Values } from "@/lib/records/schema/write-input";
import { RAISE_VERSION } from "@/lib/records/write/store-records";
import type { ResourceName } from "@/lib/records/schema/resources";
import { inLockOrder, lockRecords } from "@/lib/records/write/lock-records";
import { lockHierarchy, referenceText } from "@/lib/records/write/write-rules";

/**
 * The records without references to what no longer exists. Where a target is deleted and restorable, the reference is
 * noted there, so that restoring the target sets it again. Throws `conflict` for a part whose whole is deleted.
 */
export async function withLiveReferences(
  client: PoolClient,
  context: Pick<Context, "organizationId">,
  entity: Entity,
  records: readonly Values[],
): Promise<Values[]> {
  let live = [...records];
  for (const [name, { references, required }] of Object.entries<Field>(entity.fields)) {
    const wanted = new Set(records.flatMap((record) => (typeof record[name] === "string" ? [record[name]] : [])));
    if (!references || references === "users" || wanted.size === 0) continue;
    const { rows } = await client.query<{ id: string }>(referenceText(references), [
      context.organizationId,
      inLockOrder([...wanted]),
    ]);
    // A record may point at itself.
    const own = references === entity.resource ? records.map(({ id }) => id) : [];
    const present = new Set<unknown>([...rows.map(({ id }) => id), ...own]);
    if (required && present.size < wanted.size) throw missingWhole(entity);
    const dangling = live.filter((record) => typeof record[name] === "string" && !present.has(record[name]));
    for (const [target, pointing] of Map.groupBy(dangling, (record) => record[name] as string)) {
      const link = { resource: entity.resource, field: name, ids: pointing.map(({ id }) => id as string) };
      await noteLink(client, context, references, target, link);
    }
    live = live.map((record) => (present.has(record[name]) ? record : { ...record, [name]: null }));
  }
  return live;
}

/** Notes on a deleted record that these pointed at it, for when it is restored. */
async function noteLink(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  resource: string,
  id: string,
  link: Cleared,
): Promise<void> {
  await client.query(
    `UPDATE deleted_records SET cleared = cleared || $4::jsonb WHERE organization_id = $1 AND resource = $2 AND id = $3
      AND NOT is_part`,
    [organizationId, resource, id, JSON.stringify([link])],
  );
}

/** The refusal of a part whose whole is deleted. */
export function missingWhole(entity: Entity): AppError {
  const field = Object.keys(entity.fields).find(
    (name) => entity.fields[name]?.references && entity.fields[name].required,
  );
  const detail = `The record that this ${entity.label} belongs to was deleted too. Restore that record first.`;
  return new AppError("conflict", detail, { errors: [{ pointer: `/${field}`, code: "not_found", detail }] });
}

/** The records above a record: those that it points at, those that these point at, and so on. */
function aboveText({ resource }: Entity, field: string): string {
  return `WITH RECURSIVE above (id) AS (
      SELECT "${field}" FROM ${resource} WHERE organization_id = $1 AND id = $2
      UNION
      SELECT t."${field}" FROM above JOIN ${resource} AS t ON t.organization_id = $1 AND t.id = above.id
    )
    SELECT id FROM above WHERE id IS NOT NULL`;
}

/**
 * The records that must not point at a restored one, because they have come above it since. Locks the hierarchy, and
 * before it `ids`, as a change of one of them does.
 */
async function findAbove(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  id: string,
  { resource, field, ids }: Cleared & { resource: ResourceName },
): Promise<string[]> {
  const entity: Entity = ENTITIES[resource];
  if (entity.fields[field]?.references !== resource) return [];
  await lockRecords(client, entity, organizationId, ids);
  await lockHierarchy(client, entity, field, organizationId);
  const { rows } = await client.query<{ id: string }>(aboveText(entity, field), [organizationId, id]);
  return rows.map((row) => row.id);
}

/**
 * Sets the cleared references to a restored record again, also those of records that are deleted by now, for when they
 * are restored. A record that has come above the restored one since does not point at it.
 */
export async function relink(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
  id: string,
  cleared: readonly Cleared[],
): Promise<void> {
  for (const { resource, field, ids } of cleared) {
    if (!isResource(resource) || !columnsOf(ENTITIES[resource]).some(({ name }) => name === field)) continue;
    const above = await findAbove(client, { organizationId }, id, { resource, field, ids });
    await client.query(
      `UPDATE ${resource} SET "${field}" = $2, ${RAISE_VERSION}
       WHERE organization_id = $1 AND id = ANY ($3::uuid[]) AND id <> ALL ($4::uuid[]) AND "${field}" IS NULL`,
      [organizationId, id, ids, above],
    );
    await client.query(
      `UPDATE deleted_records SET record = record || jsonb_build_object($4::text, $2::text)
       WHERE organization_id = $1 AND resource = $5 AND id = ANY ($3::uuid[]) AND record ->> $4::text IS NULL`,
      [organizationId, id, ids, field, resource],
    );
  }
}
