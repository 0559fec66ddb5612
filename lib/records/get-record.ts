import { pool, readPipelined } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import { selectList, selectView } from "@/lib/records/schema/record-sql";
import type { View } from "@/lib/records/schema/view";

/**
 * One record as JSON written by PostgreSQL, with the fields and expanded references of `view`. Throws `not_found`, also
 * for another organization's record and for what is not an id.
 */
export async function getRecord(
  entity: Entity,
  organizationId: string,
  id: string,
  view: View = {},
): Promise<JsonText> {
  const record = isId(id) ? await find(entity, organizationId, { column: "id", value: id }, view) : undefined;
  if (record === undefined) throw noSuchRecord(entity);
  return new JsonText(record);
}

/**
 * As {@link getRecord}, for the record with an external id. Throws `not_found` also for a text that cannot be an
 * external id.
 */
export async function getByExtId(
  entity: Entity,
  organizationId: string,
  extId: string,
  view: View = {},
): Promise<JsonText> {
  const record = extId.includes("\0")
    ? undefined
    : await find(entity, organizationId, { column: "ext_id", value: extId }, view);
  if (record === undefined)
    throw new AppError("not_found", `There is no ${entity.label} with this external id. It may have been deleted.`);
  return new JsonText(record);
}

/** The same for an unknown id, another organization's record, and what is not an id. */
export function noSuchRecord(entity: Entity): AppError {
  return new AppError("not_found", `There is no ${entity.label} with this id. It may have been deleted.`);
}

/** Throws `not_found` for what is not an id, before a connection is taken. */
export function assertRecordId(entity: Entity, id: string): void {
  if (!isId(id)) throw noSuchRecord(entity);
}

interface Key {
  column: "id" | "ext_id";
  value: string;
}

async function find(
  entity: Entity,
  organizationId: string,
  { column, value }: Key,
  view: View,
): Promise<string | undefined> {
  const isWhole = !view.fields && !view.expand;
  const shown = isWhole ? selectList(entity) : selectView(entity, view, "given");
  const statement = {
    text: `SELECT row_to_json(record)::text FROM (SELECT ${shown} FROM ${entity.resource} AS given
      WHERE organization_id = $1 AND ${column} = $2) AS record`,
    rowMode: "array" as const,
    values: [organizationId, value],
  };
  const name = `get ${entity.resource} by ${column}`;
  const { rows } = await (isWhole
    ? readPipelined<[record: string]>({ name, ...statement })
    : pool().query<[record: string]>(statement));
  return rows[0]?.[0];
}
