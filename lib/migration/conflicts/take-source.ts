import type { PoolClient } from "pg";

import { inSavepoint } from "@/lib/database/transactions";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { keepBefore } from "@/lib/migration/pipeline/load/before-images";
import { EMITTED_WEBHOOKS, emitClause, enqueueEmitted, eventIdsFor } from "@/lib/migration/pipeline/load/emit-imported";
import { isFaultOfRow } from "@/lib/migration/pipeline/load/load-rows";
import { numberThreadsOf } from "@/lib/migration/pipeline/number-threads";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { columnsOf } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The fields of a record that are taken from the source. */
export interface Taking {
  /** The id of the conflict. */
  id: string;
  ext_id: string;
  fields: string[];
  /** Whether nothing is left of what was edited here. */
  whole: boolean;
}

/** Columns that the statement itself sets. */
const COMPUTED = new Set(["id", "custom_fields", "version", "updated_at"]);

/**
 * Writes the values of the source into records that the caller has locked, as an import does: it emits events, keeps
 * the rows as they were, so that the migration can be undone, and knows them as imported if nothing else was edited.
 * What the database refuses, such as a link to a record that has been deleted, is returned with its reason; the rest is
 * written. Entries that move to another thread are numbered there.
 */
export async function takeSource(
  client: PoolClient,
  key: MigrationKey,
  resource: ResourceName,
  takings: readonly Taking[],
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const whole of [true, false]) {
    const some = takings.filter((taking) => taking.whole === whole);
    for (const refusal of await write(client, key, resource, some)) refused.set(...refusal);
  }
  const moved = takings.filter(({ fields }) => fields.includes("case_id"));
  if (resource === "case_comments" && moved.length > 0)
    await numberThreadsOf(client, key, await casesOf(client, key, moved));
  return refused;
}

/** The cases of the entries that conflicts are about. */
async function casesOf(client: PoolClient, key: MigrationKey, takings: readonly Taking[]): Promise<string[]> {
  const { rows } = await client.query<{ case_id: string }>(
    `SELECT DISTINCT t.case_id FROM migration_conflicts c
     JOIN case_comments t ON t.organization_id = c.organization_id AND t.id = c.record_id
     WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.id = ANY ($3::uuid[])`,
    [key.organizationId, key.migrationId, takings.map(({ id }) => id)],
  );
  return rows.map(({ case_id }) => case_id);
}

async function write(
  client: PoolClient,
  key: MigrationKey,
  resource: ResourceName,
  takings: readonly Taking[],
): Promise<[id: string, reason: string][]> {
  const [first] = takings;
  if (!first) return [];
  try {
    const values = [
      key.organizationId,
      JSON.stringify(takings.map(({ id, fields }) => ({ id, fields }))),
      key.migrationId,
      eventIdsFor(takings.map(({ ext_id: extId }) => extId)),
    ];
    const text = writeText(resource, first.whole);
    const { rows } = await inSavepoint(client, () => client.query<{ webhooks: string[] }>(text, values));
    enqueueEmitted(client, key.organizationId, rows[0]);
    return [];
  } catch (error) {
    if (!isFaultOfRow(error)) throw error;
    if (takings.length === 1) return [[first.id, error.message]];
    const half = Math.ceil(takings.length / 2);
    return [
      ...(await write(client, key, resource, takings.slice(0, half))),
      ...(await write(client, key, resource, takings.slice(half))),
    ];
  }
}

const isCustom = (field: string) => `starts_with(${field}, '${CUSTOM_PREFIX}')`;

const nameOf = (field: string) => `substr(${field}, ${CUSTOM_PREFIX.length + 1})`;

/** $1: the organization, $2: conflicts with their fields, $3: the migration, $4: ids for the events. */
function writeText(resource: ResourceName, whole: boolean): string {
  const names = columnsOf(ENTITIES[resource]).flatMap(({ name }) => (COMPUTED.has(name) ? [] : [`"${name}"`]));
  return `WITH taken AS (
    SELECT c.record_id, (
        SELECT coalesce(jsonb_object_agg(key, value) FILTER (WHERE NOT ${isCustom("key")}), '{}')
        FROM jsonb_each(c.source) WHERE key = ANY (given.fields)
      ) AS columns, (
        SELECT coalesce(jsonb_object_agg(${nameOf("key")}, value) FILTER (WHERE ${isCustom("key")}), '{}')
        FROM jsonb_each(c.source) WHERE key = ANY (given.fields)
      ) AS custom,
      ARRAY(SELECT ${nameOf("field")} FROM unnest(given.fields) AS field WHERE ${isCustom("field")}) AS gone
    FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, fields text[])
    JOIN migration_conflicts c ON c.organization_id = $1::uuid AND c.migration_id = $3::uuid AND c.id = given.id
  ), stored AS (
    UPDATE ${resource} AS t SET (${names.join(", ")}, custom_fields) = (
        SELECT ${names.map((name) => `row.${name}`).join(", ")}, t.custom_fields - taken.gone || taken.custom
        FROM jsonb_populate_record(t, taken.columns) AS row
      ), version = t.version + 1, updated_at = now(), source_digest = NULL
      ${whole ? ", imported_version = t.version + 1" : ""}
    FROM taken WHERE t.organization_id = $1::uuid AND t.id = taken.record_id
    RETURNING t.*, false AS inserted
  ), ${keepBefore(resource, { overwrites: whole })}, ${emitClause(resource)}
  SELECT ${EMITTED_WEBHOOKS}`;
}
