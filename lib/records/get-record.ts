import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/entity";
import { selectList } from "@/lib/records/select-json";

/** One record as JSON that PostgreSQL has written. Throws `not_found`, also for another organization's record and for what is no id. */
export async function getRecord(entity: Entity, organizationId: string, id: string): Promise<JsonText> {
  const record = isId(id) ? await find(entity, organizationId, id) : undefined;
  if (record === undefined) throw noSuchRecord(entity);
  return new JsonText(record);
}

/** Also for another organization's record, and for what is no id. */
export function noSuchRecord(entity: Entity): AppError {
  return new AppError("not_found", `There is no ${entity.label} with this id. It may have been deleted.`);
}

async function find(entity: Entity, organizationId: string, id: string): Promise<string | undefined> {
  const { rows } = await pool().query<[record: string]>({
    name: `get ${entity.resource}`,
    text: `SELECT row_to_json(record)::text FROM (SELECT ${selectList(entity)} FROM ${entity.resource} WHERE organization_id = $1 AND id = $2) AS record`,
    rowMode: "array",
    values: [organizationId, id],
  });
  return rows[0]?.[0];
}
