import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import type { Compared, Resolve, SearchKey } from "@/lib/migration/duplicates/compared-values";
import type { Purpose, Search } from "@/lib/migration/duplicates/searches";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The record here that was made of the source record `r.ext_id`, or that it was merged into. */
const recordOf = (resource: string, extId: string): string => `
  LEFT JOIN LATERAL (
    SELECT id FROM ${resource} WHERE organization_id = $1::uuid AND ext_id = ${extId} LIMIT 1
  ) AS own ON true
  LEFT JOIN LATERAL (
    SELECT record_id FROM ext_aliases WHERE organization_id = $1::uuid AND ext_id = ${extId} AND entity = '${resource}'
  ) AS alias ON own.id IS NULL`;

/** Stores a page of records of the source, each with the record here that an earlier run made of it. */
export async function storeSource(
  client: PoolClient,
  { organizationId, searchId }: SearchKey,
  resource: ResourceName,
  page: readonly Compared[],
): Promise<void> {
  await client.query(
    `INSERT INTO duplicate_records
       (organization_id, search_id, member, is_source, record_id, is_alias, modified_at, keys, shown)
     SELECT $1::uuid, $2::uuid, r.member, true, coalesce(own.id, alias.record_id), alias.record_id IS NOT NULL,
       r.modified_at, r.keys, r.shown
     FROM json_to_recordset($3::json) AS r(member text, modified_at timestamptz, keys text[], shown jsonb)
     ${recordOf(resource, "r.member")}
     ON CONFLICT DO NOTHING`,
    [organizationId, searchId, JSON.stringify(page)],
  );
}

/** Stores a page of records that are here. Those without a key match nothing, unless a record was merged into them. */
export async function storeHere(
  client: PoolClient,
  { organizationId, searchId }: SearchKey,
  page: readonly Compared[],
): Promise<void> {
  await client.query(
    `INSERT INTO duplicate_records (organization_id, search_id, member, is_source, record_id, modified_at, keys, shown)
     SELECT $1::uuid, $2::uuid, r.member, false, r.member::uuid, r.modified_at, r.keys, r.shown
     FROM json_to_recordset($3::json) AS r(member text, modified_at timestamptz, keys text[], shown jsonb)
     ON CONFLICT DO NOTHING`,
    [organizationId, searchId, JSON.stringify(page)],
  );
}

/**
 * What references lead to: the record here, or, unless it is of a run, the record that would stay of the cluster that
 * a search of the same purpose has found.
 * So contacts of two accounts that become one are compared as contacts of one account.
 */
export async function resolverOf(key: MigrationKey, search: Search): Promise<Resolve> {
  const parents = search.purpose === "run" ? new Map<string, string>() : await mergingSearches(key, search.purpose);
  return async (resource, extIds) => {
    const { rows } = await pool().query<{ ext_id: string; target: string }>(
      `SELECT given.ext_id, coalesce(own.id::text, alias.record_id::text, first.record_id::text, first.member) AS target
       FROM unnest($2::text[]) AS given (ext_id) ${recordOf(resource, "given.ext_id")}
       LEFT JOIN duplicate_records d ON d.organization_id = $1::uuid AND d.search_id = $3 AND d.member = given.ext_id
       LEFT JOIN duplicate_records first ON first.organization_id = $1::uuid AND first.search_id = $3
         AND first.cluster_id = d.cluster_id AND first.rank = 0
       WHERE coalesce(own.id::text, alias.record_id::text, first.member) IS NOT NULL`,
      [key.organizationId, extIds, parents.get(resource) ?? null],
    );
    return new Map(rows.map(({ ext_id, target }) => [ext_id, target]));
  };
}

/** The searches that are done and merge, by the resource that their object becomes. */
async function mergingSearches(
  { organizationId, migrationId }: MigrationKey,
  purpose: Purpose,
): Promise<Map<string, string>> {
  const { rows } = await pool().query<Pick<Search, "id" | "object">>(
    `SELECT id, object FROM duplicate_searches WHERE organization_id = $1 AND migration_id = $2
       AND purpose = $3 AND status = 'done' AND choices ->> 'action' <> 'create'`,
    [organizationId, migrationId, purpose],
  );
  return new Map(rows.map(({ id, object }) => [SOURCE_OBJECTS[object].resource, id]));
}
