import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";

/**
 * The select list that gives a row the form of an answer when `row_to_json` is put around it: PostgreSQL itself writes dates as
 * `YYYY-MM-DD`, money as numbers and nulls as null; only timestamps need a fixed form. Names come from the registry, never from a caller.
 */
export function selectList(entity: Entity): string {
  return Object.entries(entity.fields)
    .map(([name, field]) => expression(name, field))
    .join(", ");
}

function expression(name: string, field: Field): string {
  if (field.kind !== "timestamp") return `"${name}"`;
  return `to_char("${name}" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`;
}
