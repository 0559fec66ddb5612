import { readPipelined } from "@/lib/database/db";
import { invalidCursor } from "@/lib/input/page";
import type { ListRequest } from "@/lib/records/list/list-input";
import type { Entity } from "@/lib/records/schema/entity";
import type { Bind } from "@/lib/records/schema/record-sql";

/** SQL: what a list is sorted by, exactly as its index has it, of the row `source`. */
export function sortKey(entity: Entity, sort: string, source = ""): string {
  const columns = keyColumns(entity, sort).map((name) => source + name);
  if (isAlphabet(entity, sort)) return `(sort_key(${columns.join(", ")}) COLLATE "C")`;
  if (isAmount(entity, sort)) return `sort_amount(${columns[0]})`;
  return isDayOrNone(entity, sort)
    ? `(CASE WHEN ${columns[0]} IS NULL THEN 'infinity' ELSE ${columns[0]} END)`
    : columns.join("");
}

/** The columns of which {@link sortKey} is made. */
export function keyColumns(entity: Entity, sort: string): readonly string[] {
  return isAlphabet(entity, sort) ? entity.alphabet : [sort];
}

function keyType(entity: Entity, sort: string): string {
  if (isAlphabet(entity, sort)) return 'text COLLATE "C"';
  return isAmount(entity, sort) ? "bigint" : (entity.fields[sort]?.sqlType ?? "text");
}

function isAlphabet({ alphabet }: Entity, sort: string): boolean {
  return sort === alphabet[0];
}

function isAmount({ fields }: Entity, sort: string): boolean {
  return fields[sort]?.kind === "money";
}

/** Whether some records have no such day: they are last where the earliest come first. */
function isDayOrNone({ fields }: Entity, sort: string): boolean {
  return fields[sort]?.kind === "date" && fields[sort].nullable;
}

/** SQL: the rest of a list that is not sorted by creation, behind its cursor, by what it is sorted by and id. */
export function behindCursor(entity: Entity, request: ListRequest, bind: Bind): ((key: string) => string) | undefined {
  const { sort, order, cursor, cursorKey } = request;
  if (sort === undefined || cursorKey === undefined) return undefined;
  const position = `(${bind(cursorKey)}::${keyType(entity, sort)}, ${bind(cursor)}::uuid)`;
  return (key) => `(${key}, id) ${order === "asc" ? ">" : "<"} ${position}`;
}

/** SQL: the order of a list, `key` being what it is sorted by. A single record has none, as its index has none. */
export function orderOf(entity: Entity, { sort, order, filters }: ListRequest, key?: string): string {
  if (Object.keys(filters).some((name) => entity.fields[name]?.unique)) return "";
  const direction = order.toUpperCase();
  return sort === undefined
    ? ` ORDER BY id ${direction}`
    : ` ORDER BY ${key ?? sortKey(entity, sort)} ${direction}, id ${direction}`;
}

/**
 * How many records are sorted for a page, which takes a hundredth of a second. Of more than that, a scan in the order
 * of the list soon finds a page.
 */
export const MAX_SORTED = 5_000;

/**
 * The key of the cursor's record. It is looked up, because a cursor is only an id; a deleted record is found for as
 * long as it can be restored.
 */
export async function keyOfCursor(
  entity: Entity,
  organizationId: string,
  sort: string,
  cursor: string,
): Promise<string> {
  const { resource } = entity;
  const { rows } = await readPipelined<[key: string]>({
    name: `position ${resource} ${sort}`,
    text: `
      SELECT (${sortKey(entity, sort)})::text AS key FROM ${resource} WHERE organization_id = $1 AND id = $2
      UNION ALL (
        SELECT (${sortKey(entity, sort, "r.")})::text FROM deleted_records d
          CROSS JOIN LATERAL jsonb_populate_record(NULL::${resource}, d.record) AS r
        WHERE d.organization_id = $1 AND d.resource = '${resource}' AND d.id = $2)
      LIMIT 1`,
    values: [organizationId, cursor],
    rowMode: "array",
  });
  if (rows[0]) return rows[0][0];
  throw invalidCursor();
}
