import type { Pool, PoolClient } from "pg";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { MIN_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { givenObject } from "@/lib/migration/configuration/given-configuration";
import {
  cluster,
  MAX_LISTED,
  purpose,
  type SearchSummary,
  searchSummaries,
} from "@/lib/migration/duplicates/duplicates-schema";
import { findMigration } from "@/lib/migration/find-migration";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";

export async function summarizeSearches(
  { organizationId, migrationId }: MigrationKey,
  database: Pool | PoolClient = pool(),
): Promise<z.input<typeof searchSummaries>> {
  const { rows } = await database.query<SearchSummary>(
    `SELECT object, purpose AS of, status, source_records, records_here, clusters, duplicates, ignored, failure,
       ${isoText("created_at")} AS created_at, ${isoText("finished_at")} AS finished_at
     FROM duplicate_searches WHERE organization_id = $1 AND migration_id = $2 AND purpose <> 'report' ORDER BY id`,
    [organizationId, migrationId],
  );
  return { data: rows };
}

export const summarizeDuplicates = defineOperation({
  name: "summarize_migration_duplicates",
  summary: "Get how far the searches for duplicates are, of the preview and of the latest run, and what they found.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: searchSummaries,
  async run({ organizationId }, { migration_id: migrationId }) {
    await findMigration(organizationId, migrationId);
    return summarizeSearches({ organizationId, migrationId });
  },
});

/** $1: organization, $2: migration, $3: purpose, $4: an object or null, $5: the cursor or the lowest id, $6: limit. */
const LIST = `
  SELECT c.cluster_id AS id, c.object, c.action, c.count, survivor.json AS survivor, others.json AS duplicates
  FROM (
    SELECT r.cluster_id, s.id AS search_id, s.object, s.choices ->> 'action' AS action, count(*)::int - 1 AS count
    FROM duplicate_searches s JOIN duplicate_records r ON r.organization_id = s.organization_id AND r.search_id = s.id
    WHERE s.organization_id = $1 AND s.migration_id = $2 AND s.purpose = $3 AND s.status = 'done'
      AND ($4::text IS NULL OR s.object = $4) AND r.cluster_id > $5
    GROUP BY r.cluster_id, s.id, s.object, s.choices ORDER BY r.cluster_id LIMIT $6
  ) AS c
  CROSS JOIN LATERAL (SELECT ${shown("r")} AS json FROM duplicate_records r
    WHERE r.organization_id = $1 AND r.search_id = c.search_id AND r.cluster_id = c.cluster_id AND r.rank = 0
  ) AS survivor
  CROSS JOIN LATERAL (SELECT coalesce(json_agg(${shown("r")} ORDER BY r.rank), '[]') AS json FROM duplicate_records r
    WHERE r.organization_id = $1 AND r.search_id = c.search_id AND r.cluster_id = c.cluster_id
      AND r.rank BETWEEN 1 AND ${MAX_LISTED}) AS others
  ORDER BY c.cluster_id`;

function shown(row: string): string {
  return `json_build_object('ext_id', CASE WHEN ${row}.is_source THEN ${row}.member END, 'record_id', ${row}.record_id,
    'rule', ${row}.rule, 'values', ${row}.shown)`;
}

export const listDuplicates = defineOperation({
  name: "list_migration_duplicates",
  summary:
    "List clusters of records that are the same, each with the record that stays: what the latest run has merged or " +
    "left out, or what a preview has found; in no particular order.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    migration_id: pathId("migration"),
    of: purpose.default("run").describe("Of the latest run, or of the latest preview."),
    object: givenObject.optional().describe("Clusters of this source object only."),
  }),
  output: pageOutput(cluster),
  async run({ organizationId }, { migration_id: migrationId, of, object, cursor, limit }) {
    await findMigration(organizationId, migrationId);
    const values = [organizationId, migrationId, of, object ?? null, cursor ?? MIN_UUID, limit + 1];
    const { rows } = await pool().query<z.infer<typeof cluster>>(LIST, values);
    return cutPage(rows, limit, ({ id }) => id);
  },
});
