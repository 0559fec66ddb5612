import { escapeLiteral } from "pg";

import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import { emitClause, EMITTED_WEBHOOKS, type LoadKey } from "@/lib/migration/pipeline/load/emit-imported";
import { canWait } from "@/lib/migration/pipeline/load/waiting-links";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";

/** Set when a record is created, and not changed by a later import. */
const SET_ONCE = new Set(["id", "ext_id", "created_at", "updated_at", "case_number"]);

const BASE = ["id", "ext_id", "created_at", "updated_at", "owner_id", "custom_fields"] as const;

/** The single row that the statement returns. */
export interface LoadAnswer {
  /** The source ids of the created records. */
  created: string[] | null;
  updated: number;
  /** Records whose required reference does not exist. They were not stored. */
  orphans: { ext_id: string; field: string | null; value: string | null }[] | null;
  /** Whether a record may wait for another one. */
  waits: boolean | null;
  /** See `assertNotRaced`. */
  raced: boolean;
  /** Webhooks with new deliveries, if the statement emits events. */
  webhooks?: string[];
}

interface LoadOptions {
  by: LoadKey;
  emits: boolean;
  keeps: boolean;
}

/** The columns that a later import of a record may change. */
export function changingColumns({ columns, references, unread }: ShapePlan): string[] {
  const names = [...BASE, ...columns.map(({ name }) => name), ...references];
  return names.filter((name) => !SET_ONCE.has(name) && !unread.has(name));
}

/** SQL: the custom fields of a row that an import neither writes nor removes. */
export function otherCustomFields({ ownCustomFields }: ShapePlan, row: string): string {
  return withoutNames(`${row}.custom_fields`, ownCustomFields);
}

/** SQL: a JSON object without these names. */
export function withoutNames(json: string, names: readonly string[]): string {
  return `(${json} - ARRAY[${names.map((name) => escapeLiteral(name)).join(", ")}]::text[])`;
}

/** The reference without which no record of the shape is stored. */
function requiredOf({ shape, references }: ShapePlan): string | undefined {
  return references.find((name) => fieldOf(shape.resource, name).required);
}

/** The references that are looked up, and those that are given by our ids. */
function referencesBy(plan: ShapePlan, by: LoadKey): { references: string[]; ours: string[] } {
  return by === "id" ? { references: [], ours: plan.references } : { references: plan.references, ours: [] };
}

/**
 * The part of a WITH clause that shapes the rows of a page as they are to be stored. $1: the organization, $2: the rows
 * as a JSON array. By `id`, the references are our ids.
 */
export function pageClause(plan: ShapePlan, by: LoadKey = "ext_id"): string {
  const { shape, columns } = plan;
  const { references, ours } = referencesBy(plan, by);
  const plain = [...BASE, ...columns.map(({ name }) => name), ...ours];
  const typed = plain.map((name) => `${name} ${fieldOf(shape.resource, name).sqlType}`);
  const sources = [
    "source_digest bytea",
    "version int",
    ...references.flatMap((name) => [`${name} text`, `${name}_from text`]),
  ];
  const required = requiredOf(plan);
  const optional = references.filter((name) => name !== required);
  const selected = [
    ...plain.map((name) =>
      name === "custom_fields" ? `${keepOrphans(plan, optional)} AS custom_fields` : `r.${name}`,
    ),
    ...references.map((name) => `ref_${name}.id AS ${name}`),
    `${keepDigest(plan, by)} AS source_digest`,
    "r.version",
    ...(required ? [`r.${required} AS parent_ext_id, r.${required}_from AS parent_field`] : []),
  ];
  return `page AS (
  SELECT ${selected.join(", ")}
  FROM json_to_recordset($2::json) AS r(${[...typed, ...sources].join(", ")})
  ${references.map((name) => joinOf(plan, name)).join("\n  ")}
)`;
}

/**
 * The statement that stores a page. $1: the organization, $2: the rows as a JSON array, $3: the migration. References
 * are looked up by `ext_id`. If the record does not exist, the reference stays empty and its source id is kept in
 * `custom_fields`. An existing record is changed only if something differs. Created records know their migration, and
 * all written ones the version that the import gave them: the first, or the next one of a record that was deleted. With
 * `emits` the statement also emits events of what it created and changed; $4: ids for the events, see `eventIdsFor`.
 * With `keeps`, records that somebody has edited since their last import stay as they are. By `id`, records that are
 * here are changed.
 */
export function loadStatement(plan: ShapePlan, { by, emits, keeps }: LoadOptions): string {
  const { columns, references } = plan;
  const { resource } = plan.shape;
  const required = requiredOf(plan);
  const inserted = [...BASE, ...columns.map(({ name }) => name), ...references];
  const issued = [
    ["migration_id", "$3::uuid"],
    ["version", "coalesce(version, 1)"],
    ["imported_version", "coalesce(version, 1)"],
    ["source_digest", "source_digest"],
    ...(resource === "case_comments" ? [["position", "0"]] : []),
  ];
  const names = [...inserted, ...issued.map(([name]) => name)].join(", ");
  const values = [...inserted, ...issued.map(([, value]) => value)].join(", ");
  const waits = waitsText(plan);
  const orphans = `SELECT json_agg(json_build_object('ext_id', ext_id, 'field', parent_field, 'value', parent_ext_id))
    FROM page WHERE ${required} IS NULL`;
  // With emptied columns a record may stay edited (importedVersion): only what nobody has edited is taken back then.
  const overwrites = plan.emptied.size === 0;
  return `WITH ${pageClause(plan, by)}, stored AS (
  INSERT INTO ${resource} AS t (organization_id, ${names})
  SELECT $1::uuid, ${values} FROM page${required ? ` WHERE ${required} IS NOT NULL` : ""}
  ON CONFLICT (organization_id, ${by}) ${onConflict(plan, keeps)}
  RETURNING ${emits ? "t.*" : "t.id, t.ext_id, t.version, t.migration_id"},
    t.xmax = 0 AS inserted${waits ? `, ${waits} AS waits` : ""}
), ${keepBefore(resource, { overwrites })}${emits ? `, ${emitClause(resource, by)}` : ""}
SELECT json_agg(ext_id) FILTER (WHERE inserted) AS created, count(*) FILTER (WHERE NOT inserted)::int AS updated,
  ${waits ? "bool_or(waits)" : "false"} AS waits,
  ${required ? `(${orphans})` : "NULL"} AS orphans, ${RACED}${emits ? `, ${EMITTED_WEBHOOKS}` : ""}
FROM stored`;
}

/**
 * SQL: whether somebody has edited a row since its last import. What no import has written is nobody's but ours, so it
 * counts as edited.
 */
export function isEdited(row: string): string {
  return `(${row}.version IS DISTINCT FROM ${row}.imported_version)`;
}

/**
 * SQL: the creation time of the `given` row as a custom field, if it differs from that of the row here. The id is
 * minted from the first one, so `created_at` never changes. A row with the custom field CreatedDate has its time from
 * `createdFrom`.
 */
export function movedCreation({ shape: { createdFrom } }: ShapePlan, given: string, here: string): string {
  if (!createdFrom) return "'{}'::jsonb";
  return `CASE WHEN ${given}.created_at = ${here}.created_at OR NOT ${given}.custom_fields ? 'CreatedDate'
    THEN '{}'::jsonb ELSE jsonb_build_object('${createdFrom}',
      to_char(${given}.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+0000"')) END`;
}

/** SQL: an entry that moves to another thread is new there, so that `numberThreads` finds it. */
function movedTo({ shape }: ShapePlan): string[] {
  if (shape.resource !== "case_comments") return [];
  return ["position = CASE WHEN t.case_id = excluded.case_id THEN t.position ELSE 0 END"];
}

function onConflict(plan: ShapePlan, keeps: boolean): string {
  const changing = changingColumns(plan);
  const moved = movedCreation(plan, "excluded", "t");
  const customFields = `${otherCustomFields(plan, "t")} || excluded.custom_fields || ${moved}`;
  const values = changing.map((name) => (name === "custom_fields" ? customFields : valueOf(plan, name)));
  const set = [...changing.map((name, place) => `${name} = ${values[place]}`), ...movedTo(plan)].join(", ");
  const before = changing.map((name) => `t.${name}`).join(", ");
  const after = values.join(", ");
  return `DO UPDATE SET ${set}, version = t.version + 1, imported_version = ${importedVersion(plan)},
    updated_at = now(), source_digest = excluded.source_digest
  WHERE (${before}) IS DISTINCT FROM (${after})${keeps ? ` AND NOT ${isEdited("t")}` : ""}`;
}

/** SQL: a record that keeps what people have written in an emptied column stays edited. */
function importedVersion(plan: ShapePlan): string {
  const kept = changingColumns(plan).filter((name) => plan.emptied.has(name));
  if (kept.length === 0) return "t.version + 1";
  const [here, given] = [kept.map((name) => `t.${name}`), kept.map((name) => `excluded.${name}`)];
  return `CASE WHEN ${isEdited("t")} AND (${here.join(", ")}) IS DISTINCT FROM (${given.join(", ")})
      THEN t.imported_version ELSE t.version + 1 END`;
}

/** SQL: what becomes of a column. What people have written where no field goes to any more is theirs. */
function valueOf({ emptied }: ShapePlan, name: string): string {
  return emptied.has(name) ? `CASE WHEN ${isEdited("t")} THEN t.${name} ELSE excluded.${name} END` : `excluded.${name}`;
}

/**
 * SQL: the ids of the record that was made of a source record, or that it was merged into, unless that is the record
 * `except` itself. The second lookup is made only where the first finds none.
 */
export function recordsWith(resource: string, extId: string, except = "NULL::uuid"): string {
  return `SELECT id, false AS is_merged FROM ${resource} WHERE organization_id = $1::uuid AND ext_id = ${extId}
    UNION ALL SELECT record.id, true FROM ext_aliases AS alias JOIN ${resource} AS record
      ON record.organization_id = $1::uuid AND record.id = alias.record_id
    WHERE alias.organization_id = $1::uuid AND alias.ext_id = ${extId} AND record.id IS DISTINCT FROM ${except}`;
}

/**
 * Looks up the record of a reference, by one index lookup per row. With a plain join, and without statistics of the
 * tables that an import is filling, PostgreSQL would read all records of the organization for every page.
 */
function joinOf({ shape: { resource }, links }: ShapePlan, name: string): string {
  const { references } = fieldOf(resource, name);
  const kept = links.filter(({ column, choice }) => column === name && choice === "keep_id");
  return `LEFT JOIN LATERAL (
    ${recordsWith(references ?? "", `r.${name}`, "r.id")} LIMIT 1
  ) AS ref_${name} ON r.${name} IS NOT NULL${kept.length > 0 ? ` AND NOT ${isKept(resource, name, kept)}` : ""}`;
}

/** Whether an earlier import left the link of a row empty and kept its id, which the user wants to stay so. */
function isKept(resource: string, name: string, kept: readonly Link[]): string {
  const fields = [...new Set(kept.map(({ field }) => escapeLiteral(field)))];
  return `(r.${name}_from IN (${fields.join(", ")}) AND EXISTS (
      SELECT FROM ${resource} AS old WHERE old.organization_id = $1::uuid AND old.ext_id = r.ext_id
        AND old.${name} IS NULL AND old.custom_fields ->> r.${name}_from = r.${name}))`;
}

/**
 * Whether the stored row may wait for a record that is not here; null if rows of this shape never do. It sees the row
 * alone, so it costs next to nothing; {@link storeWaiting} looks closely.
 */
function waitsText({ shape, links }: ShapePlan): string | null {
  const tests = links
    .filter((link) => canWait(shape, link))
    .map(({ column, field, prefix }) => {
      const value = `t.custom_fields ->> ${escapeLiteral(field)}`;
      const isNamed = prefix ? `starts_with(${value}, ${escapeLiteral(prefix)})` : `${value} IS NOT NULL`;
      return `(t.${column} IS NULL AND ${isNamed})`;
    });
  return tests.length > 0 ? `coalesce(${tests.join(" OR ")}, false)` : null;
}

/**
 * The digest of the source record, unless something else decides what links the row has: whether the other record is
 * here, or was merged into another one. Records of the same resource are linked without importing the row again.
 */
function keepDigest({ shape, references }: ShapePlan, by: LoadKey): string {
  if (by === "id") return "NULL::bytea";
  const depends = references.map((name) => {
    const isSelf = fieldOf(shape.resource, name).references === shape.resource;
    return isSelf ? `ref_${name}.is_merged` : `(${missing(name)} OR ref_${name}.is_merged)`;
  });
  return depends.length === 0
    ? "r.source_digest"
    : `CASE WHEN ${depends.join(" OR ")} THEN NULL ELSE r.source_digest END`;
}

function missing(name: string): string {
  return `(r.${name} IS NOT NULL AND ref_${name}.id IS NULL)`;
}

/** `custom_fields` plus the source ids of optional references that were not found, unless their field is left out. */
function keepOrphans({ leftOut }: ShapePlan, references: readonly string[]): string {
  if (references.length === 0) return "r.custom_fields";
  const kept = references.map(
    (name) => `CASE WHEN ${missing(name)} THEN jsonb_build_object(r.${name}_from, r.${name}) ELSE '{}'::jsonb END`,
  );
  const all = `r.custom_fields || ${kept.join(" || ")}`;
  const orphaned = leftOut.length > 0 ? withoutNames(`(${all})`, leftOut) : all;
  return `CASE WHEN ${references.map(missing).join(" OR ")} THEN ${orphaned} ELSE r.custom_fields END`;
}
