import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { Cleared } from "@/lib/records/delete/delete-record";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { columnsOf } from "@/lib/records/schema/record-sql";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";
import type { Values } from "@/lib/records/schema/write-input";
import { inLockOrder } from "@/lib/records/write/lock-records";
import { referenceText } from "@/lib/records/write/reference-rules";

/**
 * The records as they can be put back: without what they point at and is gone. Where that is deleted and can come back
 * itself, it is told to point them at it again. Throws `conflict` for a part whose whole is gone.
 */
export async function withLiveReferences(
  client: PoolClient,
  context: Context,
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
    const gone = live.filter((record) => typeof record[name] === "string" && !present.has(record[name]));
    for (const [target, pointing] of Map.groupBy(gone, (record) => record[name] as string)) {
      const link = { resource: entity.resource, field: name, ids: pointing.map(({ id }) => id as string) };
      await noteLink(client, context, references, target, link);
    }
    live = live.map((record) => (present.has(record[name]) ? record : { ...record, [name]: null }));
  }
  return live;
}

/** For when the deleted record comes back as well: these pointed at it. */
async function noteLink(
  client: PoolClient,
  { organizationId }: Context,
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

/** A part cannot be without what it is a part of. */
export function missingWhole(entity: Entity): AppError {
  const field = Object.keys(entity.fields).find(
    (name) => entity.fields[name]?.references && entity.fields[name].required,
  );
  const detail = `The record that this ${entity.label} belongs to was deleted too. Restore that record first.`;
  return new AppError("conflict", detail, { errors: [{ pointer: `/${field}`, code: "not_found", detail }] });
}

/**
 * Has what pointed at a record point at it again, also what is deleted itself by now, so that it does when it comes
 * back.
 */
export async function relink(
  client: PoolClient,
  { organizationId }: Context,
  id: string,
  cleared: readonly Cleared[],
): Promise<void> {
  for (const { resource, field, ids } of cleared) {
    if (!isResource(resource) || !columnsOf(ENTITIES[resource]).some(({ name }) => name === field)) continue;
    await client.query(
      `UPDATE ${resource} SET "${field}" = $2, version = version + 1, updated_at = now()
       WHERE organization_id = $1 AND id = ANY ($3::uuid[]) AND "${field}" IS NULL`,
      [organizationId, id, ids],
    );
    await client.query(
      `UPDATE deleted_records SET record = record || jsonb_build_object($4::text, $2::text)
       WHERE organization_id = $1 AND resource = $5 AND id = ANY ($3::uuid[]) AND record ->> $4::text IS NULL`,
      [organizationId, id, ids, field, resource],
    );
  }
}
