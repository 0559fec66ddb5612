import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import type { Repeat } from "@/lib/migration/configuration/configuration-schema";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import type { SourceObject } from "@/lib/migration/objects/declaration";
import {
  changingColumns,
  movedCreation,
  otherCustomFields,
  pageClause,
  withoutNames,
} from "@/lib/migration/pipeline/load/load-statement";
import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Row } from "@/lib/migration/pipeline/map/transform";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { selectView } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The issue code of records that were edited here and stay so, by the configuration or by a decision. */
export const EDITED_HERE = "edited_here";

/** The issue code of records that were edited here, and of which nobody has decided yet what they become. */
export const UNDECIDED = "undecided";

interface Target extends MigrationKey {
  client: PoolClient;
  plan: ShapePlan;
  object: Pick<SourceObject, "name" | "label">;
  repeat: Repeat;
}

interface Kept {
  ext_id: string;
  fields: string[];
  /** Whether somebody still has to decide. */
  is_open: boolean;
}

/**
 * Returns an issue for each row whose record somebody has edited here and that differs from the source: the import left
 * it as it is. If somebody is to decide, the differences are stored. What was decided already stays so, as long as the
 * source has the same values.
 */
export async function keepEdited(target: Target, rows: readonly Row[]): Promise<Issue[]> {
  if (rows.length === 0) return [];
  const { client, plan, object, organizationId, migrationId, repeat } = target;
  const values = [organizationId, JSON.stringify(rows)];
  const decides = repeat === "decide";
  const ids = JSON.stringify(rows.map(({ ext_id }) => ({ ext_id, id: newId() })));
  const { rows: kept } = await client.query<Kept>(
    decides ? noteText(plan) : compareText(plan),
    decides ? [...values, migrationId, object.name, ids] : values,
  );
  return kept.map((record) => keptIssue(object.label, record));
}

function keptIssue(label: string, { ext_id: extId, fields, is_open: isOpen }: Kept): Issue {
  const edited = `This ${label} was edited or restored here since its last import, and Salesforce has other values`;
  const reason = isOpen
    ? `${edited}. It stays as it is here until somebody decides which to take.`
    : `${edited}. It stays as it is here, by the configuration or because somebody decided so.`;
  return issueOf(extId, "skipped", isOpen ? UNDECIDED : EDITED_HERE, reason, fields.join(", ").slice(0, 500));
}

/**
 * SQL: the fields of a row as one flat JSON object, in the form of the API; each custom field by its own name, such as
 * `custom_fields.Tax_Id__c`.
 */
export function flatText(resource: ResourceName, fields: readonly string[], row: string): string {
  return `(SELECT to_jsonb(record) - 'custom_fields' || ${prefixed("record.custom_fields")}
    FROM (SELECT ${selectView(ENTITIES[resource], { fields: [...fields] }, row)}) AS record)`;
}

/** SQL: custom fields under the names that they have in the API. */
function prefixed(fields: string): string {
  return `coalesce((SELECT jsonb_object_agg('${CUSTOM_PREFIX}' || key, value) FROM jsonb_each(${fields})), '{}')`;
}

/** SQL: the values of `ours` that differ from those of `source`, with null for those that are not there. */
export function differingText(ours: string, source: string): string {
  return `(SELECT jsonb_object_agg(key, o.value) FROM jsonb_each(${ours}) AS o FULL JOIN jsonb_each(${source}) AS s
      USING (key)
    WHERE coalesce(o.value, 'null') <> coalesce(s.value, 'null'))`;
}

/** SQL: how often a row has been edited since its last import. What raises both versions is no edit. */
export function editsOf(row: string): string {
  return `(${row}.version - coalesce(${row}.imported_version, 0))`;
}

/**
 * The part of a WITH clause with the rows of a page that differ from the records here. Of custom fields that the import
 * neither writes nor removes, the source says nothing. What people have written in an emptied column stays, so it alone
 * is no difference. Beside others it is one: who takes them all gives up the whole record, and has to see this value.
 */
function differingClause(plan: ShapePlan): string {
  const { resource } = plan.shape;
  const fields = changingColumns(plan);
  return `${pageClause(plan)}, differing AS (
    SELECT found.*, ours
    FROM (
      SELECT old.id AS record_id, old.ext_id, ${editsOf("old")} AS edits,
        ${flatText(resource, fields, "old")}
          - ARRAY(SELECT jsonb_object_keys(${prefixed(otherCustomFields(plan, "old"))})
            EXCEPT SELECT jsonb_object_keys(${prefixed("page.custom_fields")})) AS here,
        ${flatText(resource, fields, "page")} || ${prefixed(movedCreation(plan, "page", "old"))} AS source
      FROM page JOIN LATERAL (
        SELECT * FROM ${resource} AS r WHERE r.organization_id = $1::uuid AND r.ext_id = page.ext_id LIMIT 1
      ) AS old ON true
    ) AS found, LATERAL ${differingText("found.here", "found.source")} AS difference (ours)
    WHERE ${withoutNames("ours", [...plan.emptied])} <> '{}'
  )`;
}

const FIELDS = "ARRAY(SELECT jsonb_object_keys(ours) ORDER BY 1) AS fields";

function compareText(plan: ShapePlan): string {
  return `WITH ${differingClause(plan)}
    SELECT ext_id, ${FIELDS}, false AS is_open FROM differing`;
}

/**
 * $3: the migration, $4: the object, $5: ids for what is new. A decision stands until the source has another value.
 * That it gives none any more, because its field was left out, is none.
 */
function noteText(plan: ShapePlan): string {
  return `WITH ${differingClause(plan)}, noted AS (
    INSERT INTO migration_conflicts AS c
      (organization_id, migration_id, id, object, resource, record_id, ext_id, edits, ours, source, created_at)
    SELECT $1::uuid, $3::uuid, ids.id, $4, '${plan.shape.resource}', d.record_id, d.ext_id, d.edits, d.ours, d.source,
      now()
    FROM differing d JOIN json_to_recordset($5::json) AS ids(ext_id text, id uuid) USING (ext_id)
    ON CONFLICT (organization_id, migration_id, resource, record_id) DO UPDATE
      SET edits = excluded.edits, ours = excluded.ours, source = excluded.source, state = 'open', taken = NULL,
        created_at = excluded.created_at, decided_at = NULL, decided_by_id = NULL
      WHERE EXISTS (
        SELECT FROM jsonb_object_keys(${withoutNames("excluded.ours", [...plan.emptied])}) AS field
        WHERE c.taken ->> field IS DISTINCT FROM 'ours' OR c.source -> field IS DISTINCT FROM excluded.source -> field)
    RETURNING c.record_id
  )
  SELECT d.ext_id, ${FIELDS}, noted.record_id IS NOT NULL AS is_open
  FROM differing d LEFT JOIN noted USING (record_id)`;
}
