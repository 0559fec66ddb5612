import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { AppError, type DeletionFacts } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { hasScope } from "@/lib/operation";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { DELETED_NAME } from "@/lib/records/delete/deleted-name";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The refusal to get a record. While the record is deleted and can be restored, it says so, and when and by whom or
 * what it was deleted.
 */
export async function refusalWithDeletion(
  entity: Entity,
  context: Context,
  id: string,
  refusal: unknown,
): Promise<unknown> {
  const deletion = refusal instanceof AppError && isId(id) ? await find(entity, context, id) : undefined;
  if (!deletion) return refusal;
  return new AppError("not_found", `This ${entity.label} was deleted. ${howToRestore(entity, deletion)}`, { deletion });
}

/** What was deleted by itself does not come back with the record that it belongs to. */
function howToRestore({ resource }: Entity, { belongs_to: whole, is_part: isPart }: DeletionFacts): string {
  const own = `\`POST /api/v1/${resource}/{id}/restore\``;
  if (!whole) return `${own} restores it.`;
  const first = `Restore the record that it belongs to: \`POST /api/v1/${whole.resource}/{id}/restore\`.`;
  return isPart ? first : `${first} Then ${own} restores this one.`;
}

const findText = (whole: string): string => `
  SELECT ${DELETED_NAME} AS name, deleted_at, deleted_at + ${RESTORABLE_INTERVAL} AS until, deleted_by_id,
    migration_id, is_part, ${whole} AS whole_id
  FROM deleted_records AS d
  WHERE organization_id = $1 AND resource = $2 AND id = $3 AND deleted_at > now() - ${RESTORABLE_INTERVAL}
  ORDER BY deleted_at DESC LIMIT 1`;

interface DeletionRow {
  name: string;
  deleted_at: Date;
  until: Date;
  deleted_by_id: string;
  migration_id: string | null;
  is_part: boolean;
  whole_id: string | null;
}

async function find(entity: Entity, context: Context, id: string): Promise<DeletionFacts | undefined> {
  const whole = wholeOf(entity);
  const text = findText(whole ? idIfAbsent(whole) : "NULL");
  const { rows } = await pool().query<DeletionRow>(text, [context.organizationId, entity.resource, id]);
  const [row] = rows;
  return (
    row && {
      name: row.name,
      deleted_at: row.deleted_at.toISOString(),
      deleted_by_id: row.deleted_by_id,
      migration_id: hasScope(context, "crm:read") ? row.migration_id : null,
      restorable_until: row.until.toISOString(),
      is_part: row.is_part,
      belongs_to: whole && row.whole_id !== null ? { resource: whole.resource, id: row.whole_id } : null,
    }
  );
}

interface Whole {
  field: string;
  resource: ResourceName;
}

/** What every record of an entity belongs to: the case of a comment. */
function wholeOf({ fields }: Entity): Whole | undefined {
  return Object.entries<Field>(fields).flatMap(([field, { references, required }]) =>
    references && references !== "users" && required ? [{ field, resource: references }] : [],
  )[0];
}

function idIfAbsent({ field, resource }: Whole): string {
  return `(SELECT whole.id FROM (SELECT (d.record ->> '${field}')::uuid AS id) AS whole
      WHERE NOT EXISTS (SELECT FROM ${resource} t WHERE t.organization_id = $1 AND t.id = whole.id))`;
}
