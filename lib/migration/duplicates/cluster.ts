import type { PoolClient } from "pg";

import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";

/** A value that more records share identifies nobody: a switchboard, `none@example.com`. It is reported, not used. */
const MAX_SHARING = 100;

/** A cluster of more records is no person and no company. It is reported, and its records are imported one by one. */
const MAX_CLUSTER = 200;

/** How many ignored values and clusters a search reports. */
const MAX_REPORTED = 20;

export interface Clustered {
  clusters: number;
  duplicates: number;
}

/** $1: the organization, $2: the search. */
const OWN = "organization_id = $1 AND search_id = $2";

const PAIRS = `SELECT r.member, r.label, r.record_id, k.key FROM duplicate_records r, unnest(r.keys) AS k (key)
  WHERE r.organization_id = $1 AND r.search_id = $2`;

/**
 * Divides the records of a search into clusters, in the transaction of the caller. Clusters are the connected
 * components of the graph whose edges are common keys; see docs/decisions/0042-duplicates.md. The result depends on
 * the records and rules alone.
 */
export async function clusterRecords(
  client: PoolClient,
  organizationId: string,
  searchId: string,
  survivor: DuplicateChoices["survivor"],
): Promise<Clustered> {
  const ids = [organizationId, searchId];
  // PostgreSQL would compare every pair where its statistics do not know of these rows.
  await client.query("SET LOCAL enable_nestloop = off");
  await client.query(REPORT_COMMON_VALUES, ids);
  await client.query(KEEP_SHARED_KEYS, ids);
  await client.query(DELETE_SINGLE, ids);
  await connect(client, ids);
  await client.query(assignClusters(survivor), ids);
  await client.query(REPORT_LARGE_CLUSTERS, ids);
  await client.query(`DELETE FROM duplicate_records WHERE ${OWN} AND cluster_id IS NULL`, ids);
  await client.query("SET LOCAL enable_nestloop = on");
  const { rows } = await client.query<Clustered>(
    `SELECT count(DISTINCT cluster_id)::int AS clusters,
       count(*) FILTER (WHERE is_source AND rank > 0)::int AS duplicates
     FROM duplicate_records WHERE ${OWN}`,
    ids,
  );
  return rows[0] ?? { clusters: 0, duplicates: 0 };
}

const REPORT_COMMON_VALUES = `
  UPDATE duplicate_searches s SET ignored = coalesce((
    SELECT jsonb_agg(jsonb_build_object('rule', left(key, 2)::int, 'value', replace(substr(key, 4), chr(31), ' '),
      'records', records) ORDER BY records DESC, key)
    FROM (SELECT key, count(*) AS records FROM (${PAIRS}) AS pairs GROUP BY key HAVING count(*) > ${MAX_SHARING}
      ORDER BY count(*) DESC, key LIMIT ${MAX_REPORTED}) AS common
  ), '[]') WHERE s.organization_id = $1 AND s.id = $2`;

/** Each record with a key of another starts as its own component. */
const KEEP_SHARED_KEYS = `
  WITH pairs AS MATERIALIZED (${PAIRS}),
    shared AS (SELECT key FROM pairs GROUP BY key HAVING count(*) BETWEEN 2 AND ${MAX_SHARING}),
    kept AS (SELECT member, array_agg(key ORDER BY key) AS keys FROM pairs JOIN shared USING (key) GROUP BY member)
  UPDATE duplicate_records r SET keys = kept.keys, label = r.member FROM kept
  WHERE r.organization_id = $1 AND r.search_id = $2 AND r.member = kept.member`;

/** What an earlier run merged stays merged, whatever its values are now: it keeps its record without a key. */
const DELETE_SINGLE = `DELETE FROM duplicate_records r WHERE ${OWN} AND label IS NULL AND NOT EXISTS (
  SELECT FROM duplicate_records a WHERE a.organization_id = $1 AND a.search_id = $2 AND a.is_alias
    AND a.record_id = r.record_id)`;

/**
 * Moves each component to the lowest one that it shares a key with, all at once. A component that was moved may lie on
 * the way of others.
 */
const HOOK = `
  WITH pairs AS MATERIALIZED (${PAIRS} AND r.label IS NOT NULL),
    lowest AS (SELECT key, min(label) AS label FROM pairs GROUP BY key),
    moves AS (SELECT p.label AS origin, min(l.label) AS target FROM pairs p JOIN lowest l USING (key)
      WHERE l.label < p.label GROUP BY p.label)
  UPDATE duplicate_records r SET label = moves.target FROM moves
  WHERE r.organization_id = $1 AND r.search_id = $2 AND r.label = moves.origin`;

/** Halves every way to the lowest record of a component. */
const SHORTCUT = `
  UPDATE duplicate_records r SET label = root.label FROM duplicate_records root
  WHERE r.organization_id = $1 AND r.search_id = $2 AND root.organization_id = $1 AND root.search_id = $2
    AND root.member = r.label AND root.label < r.label`;

/** Gives all records of a component the same label: its lowest member. Ends, because each round joins components. */
async function connect(client: PoolClient, ids: string[]): Promise<void> {
  while (((await client.query(HOOK, ids)).rowCount ?? 0) > 0) {
    while (((await client.query(SHORTCUT, ids)).rowCount ?? 0) > 0);
  }
}

const ORDER: Record<DuplicateChoices["survivor"], string> = {
  oldest: 'member COLLATE "C"',
  newest: 'member COLLATE "C" DESC',
  last_changed: 'modified_at DESC NULLS LAST, member COLLATE "C"',
};

/**
 * Divides components into clusters: the records that become one record. A record that is here stays what it is, so a
 * component with several has a cluster for each: other records go to the one that they match by the first rule (the
 * oldest of several), or else to the oldest of the component. First in its cluster is the record that is here; else the
 * chosen one. The id is a digest, in the form of a UUIDv7, so that it is a cursor.
 */
function assignClusters(survivor: DuplicateChoices["survivor"]): string {
  return `
  WITH pairs AS MATERIALIZED (${PAIRS}),
    by_key AS (SELECT key, min(record_id::text) AS target FROM pairs WHERE record_id IS NOT NULL GROUP BY key),
    direct AS (SELECT DISTINCT ON (p.member) p.member, b.target FROM pairs p JOIN by_key b USING (key)
      WHERE p.record_id IS NULL ORDER BY p.member, left(p.key, 2), b.target),
    oldest AS (SELECT label, min(record_id::text) AS target FROM duplicate_records WHERE ${OWN} GROUP BY label),
    targeted AS (SELECT r.member, r.is_source, r.is_alias, r.record_id, r.modified_at,
        coalesce(r.record_id::text, direct.target, oldest.target, r.label) AS target
      FROM duplicate_records r LEFT JOIN direct USING (member) LEFT JOIN oldest ON oldest.label = r.label
      WHERE r.organization_id = $1 AND r.search_id = $2),
    ranked AS (SELECT member, target,
        record_id IS NULL AND count(*) FILTER (WHERE record_id IS NULL) OVER same > ${MAX_CLUSTER} AS is_too_large,
        bool_or(is_source) OVER same AND (count(*) OVER same > 1 OR bool_or(is_alias) OVER same) AS is_cluster,
        row_number() OVER (same ORDER BY record_id IS NULL, is_alias, is_source, ${ORDER[survivor]}) - 1 AS rank
      FROM targeted WINDOW same AS (PARTITION BY target)),
    shared AS (SELECT target, key FROM pairs JOIN targeted USING (member) GROUP BY target, key HAVING count(*) > 1),
    rules AS (SELECT member, min(left(key, 2))::int AS rule
      FROM pairs JOIN targeted USING (member) JOIN shared USING (target, key) GROUP BY member)
  UPDATE duplicate_records r SET rank = ranked.rank, rule = rules.rule,
    cluster_id = overlay(overlay(md5(r.search_id || ranked.target) placing '7' from 13) placing 'a' from 17)::uuid,
    label = CASE WHEN is_too_large THEN 'too large' ELSE target END
  FROM ranked LEFT JOIN rules USING (member)
  WHERE r.organization_id = $1 AND r.search_id = $2 AND r.member = ranked.member AND is_cluster`;
}

/** What an earlier run merged stays merged: only the other records leave its cluster. */
const REPORT_LARGE_CLUSTERS = `
  WITH large AS (SELECT cluster_id, count(*) FILTER (WHERE label = 'too large') AS records,
        min(member) FILTER (WHERE label = 'too large') AS example, bool_or(is_alias) AS is_merged
      FROM duplicate_records WHERE ${OWN} GROUP BY cluster_id HAVING bool_or(label = 'too large')),
    cleared AS (UPDATE duplicate_records r SET cluster_id = NULL FROM large
      WHERE r.organization_id = $1 AND r.search_id = $2 AND r.cluster_id = large.cluster_id
        AND (r.label = 'too large' OR NOT large.is_merged) RETURNING 1)
  UPDATE duplicate_searches s SET ignored = s.ignored || coalesce((
    SELECT jsonb_agg(jsonb_build_object('rule', NULL, 'value', example, 'records', records)
      ORDER BY records DESC, example)
    FROM (SELECT * FROM large ORDER BY records DESC, example LIMIT ${MAX_REPORTED}) AS first
  ), '[]') WHERE s.organization_id = $1 AND s.id = $2`;
