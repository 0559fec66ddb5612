import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/entity";
import { selectList } from "@/lib/records/select-json";

/** The record that has an external id, as JSON that PostgreSQL has written. Throws `not_found`, also for a text that can be nobody's id. */
export async function getByExtId(entity: Entity, organizationId: string, extId: string): Promise<JsonText> {
  const record = extId.includes("\0") ? undefined : await find(entity, organizationId, extId);
  if (record === undefined) throw new AppError("not_found", `There is no ${entity.label} with this external id. It may have been deleted.`);
  return new JsonText(record);
}

async function find(entity: Entity, organizationId: string, extId: string): Promise<string | undefined> {
  const { rows } = await pool().query<[record: string]>({
    name: `get ${entity.resource} by ext_id`,
    text: `SELECT row_to_json(record)::text FROM (SELECT ${selectList(entity)} FROM ${entity.resource} WHERE organization_id = $1 AND ext_id = $2) AS record`,
    rowMode: "array",
    values: [organizationId, extId],
  });
  return rows[0]?.[0];
}
