import type { Entity } from "@/lib/records/entity";
import type { Expansion } from "@/lib/records/expansions";
import type { Field } from "@/lib/records/field";
import { ENTITIES } from "@/lib/records/registry";
import type { View } from "@/lib/records/view-input";

/**
 * The select list that gives a row the form of an answer when `row_to_json` is put around it: PostgreSQL itself writes dates as
 * `YYYY-MM-DD`, money as numbers and nulls as null; only timestamps need a fixed form. Names come from the registry, never from a caller.
 */
export function selectList(entity: Entity): string {
  return Object.entries(entity.fields)
    .map(([name, field]) => expression(name, field))
    .join(", ");
}

/** The select list of a view of the row `source`. Expanded records come from the organization $1. */
export function selectView(entity: Entity, { fields, expand = [] }: View, source: string): string {
  const shown = Object.entries(entity.fields).filter(([name]) => fields?.includes(name) ?? true);
  return [...shown.map(([name, field]) => expression(name, field, `${source}.`)), ...expand.map((each) => expanded(each, source))].join(", ");
}

function expression(name: string, field: Field, source = ""): string {
  if (field.kind !== "timestamp") return `${source}"${name}"`;
  // With a microsecond more, JSON has all digits of the fraction, of which three are kept. to_char writes the same, and makes a page a tenth slower.
  return `substr(to_json(${source}"${name}" AT TIME ZONE 'UTC' + interval '1 microsecond')::text, 2, 23) || 'Z' AS "${name}"`;
}

/** One look-up by primary key. A user counts as long as it is a member of the organization. */
function expanded({ name, field, references }: Expansion, source: string): string {
  const target =
    references === "users"
      ? `SELECT id, name, email FROM users JOIN memberships ON organization_id = $1 AND user_id = id WHERE id = ${source}."${field}"`
      : `SELECT ${selectList(ENTITIES[references])} FROM ${references} WHERE organization_id = $1 AND id = ${source}."${field}"`;
  return `(SELECT row_to_json(target) FROM (${target}) AS target) AS "${name}"`;
}
