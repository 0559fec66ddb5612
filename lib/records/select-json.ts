import type { Entity } from "@/lib/records/entity";
import type { Expansion } from "@/lib/records/expansions";
import type { Field } from "@/lib/records/field";
import { mostBytes } from "@/lib/records/page-bytes";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";
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
  const shown = shownFields(entity, fields);
  return [...shown.map(([name, field]) => expression(name, field, `${source}.`)), ...expand.map((each) => expanded(each, source))].join(", ");
}

/** Of a user, whose name has at most 200 characters and whose e-mail address 254. */
const MOST_BYTES_OF_USER = 4096;

/** SQL: no fewer bytes than the JSON of {@link selectView} has. */
export function mostBytesOfView(entity: Entity, { fields, expand = [] }: View, source: string): string {
  const expanded = expand.map((each) => (each.references === "users" ? MOST_BYTES_OF_USER : mostBytesOf(each, each.references, source)));
  return [mostBytes(shownFields(entity, fields), source), ...expanded].join(" + ");
}

function mostBytesOf(expansion: Expansion, references: ResourceName, source: string): string {
  const size = mostBytes(Object.entries<Field>(ENTITIES[references].fields), "target");
  return `coalesce((SELECT ${size} FROM (${target(expansion, source, "*")}) AS target), 0)`;
}

function shownFields(entity: Entity, fields: View["fields"]): [string, Field][] {
  return Object.entries<Field>(entity.fields).filter(([name]) => fields?.includes(name) ?? true);
}

function expression(name: string, field: Field, source = ""): string {
  if (field.kind !== "timestamp") return `${source}"${name}"`;
  // With a microsecond more, JSON has all digits of the fraction, of which three are kept. to_char writes the same, and makes a page a tenth slower.
  return `substr(to_json(${source}"${name}" AT TIME ZONE 'UTC' + interval '1 microsecond')::text, 2, 23) || 'Z' AS "${name}"`;
}

function expanded(expansion: Expansion, source: string): string {
  const { name, references } = expansion;
  const columns = references === "users" ? "id, name, email" : selectList(ENTITIES[references]);
  return `(SELECT row_to_json(target) FROM (${target(expansion, source, columns)}) AS target) AS "${name}"`;
}

/** One look-up by primary key. A user counts as long as it is a member of the organization. */
function target({ field, references }: Expansion, source: string, columns: string): string {
  return references === "users"
    ? `SELECT ${columns} FROM users JOIN memberships ON organization_id = $1 AND user_id = id WHERE id = ${source}."${field}"`
    : `SELECT ${columns} FROM ${references} WHERE organization_id = $1 AND id = ${source}."${field}"`;
}
