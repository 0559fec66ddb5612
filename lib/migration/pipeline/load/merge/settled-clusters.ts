import type { PoolClient } from "pg";

import type { ClusterMember } from "@/lib/migration/duplicates/run-clusters";
import { noteUnsearched } from "@/lib/migration/pipeline/files/file-progress";
import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Row } from "@/lib/migration/pipeline/map/transform";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What became of a record of a cluster. */
interface SettledRecord {
  outcome: NonNullable<ClusterMember["outcome"]>;
  /** The record that its cluster has become; null if the database refused it. */
  recordId: string | null;
  /** Why it failed or was left out. */
  issue: Issue | null;
}

/** Source id → what has become of the record. */
export type Settled = Map<string, SettledRecord>;

/** A cluster that is about to be stored: the rows of its records, that of the record that stays first. */
export interface Merge {
  rows: [Row, ...Row[]];
  /** The record here that they are merged into. Null: the first of them stays, under its own source id. */
  hereId: string | null;
  /** Its members, by the order in which they are listed. */
  members: ClusterMember[];
  /** The cluster was stored before, without these records. Then they only fill what it lacks. */
  isLate: boolean;
}

/** A cluster that was stored. */
export interface StoredCluster extends Omit<Merge, "isLate"> {
  /** Its record; null if the database refused it. */
  recordId: string | null;
  /** `kept`: the record stays as somebody has edited it here. */
  outcome: "created" | "updated" | "unchanged" | "failed" | "kept";
  /** Why its record failed or was kept. */
  issue: Issue | null;
  /** Duplicates are left out instead of merged. */
  skips: boolean;
}

/**
 * What earlier pages of this run have made of clusters. The page holds the lock of the object's progress, so nothing
 * changes until it is stored.
 */
export async function lockClusters(
  client: PoolClient,
  organizationId: string,
  searchId: string,
  clusters: readonly ClusterMember[][],
): Promise<Settled> {
  const { rows } = await client.query<SettledRecord & { member: string }>(
    `SELECT member, outcome, record_id AS "recordId", issue FROM duplicate_records
     WHERE organization_id = $1 AND search_id = $2 AND cluster_id = ANY ($3::uuid[]) AND outcome IS NOT NULL`,
    [organizationId, searchId, [...new Set(clusters.flatMap((cluster) => cluster.map((member) => member.cluster_id)))]],
  );
  return new Map(rows.map(({ member, ...record }) => [member, record]));
}

interface Version {
  id: string;
  version: number;
}

/** The versions of records, by their id, or else by their source id. */
export async function versionsOf(
  client: PoolClient,
  { shape: { resource } }: ShapePlan,
  organizationId: string,
  names: readonly { id: string | null; extId: string }[],
): Promise<Map<string, Version>> {
  const ids = names.flatMap(({ id }) => id ?? []);
  const extIds = names.flatMap(({ id, extId }) => (id === null ? [extId] : []));
  const { rows } = await client.query<Version & { name: string }>(
    `SELECT id::text AS name, id, version FROM ${resource} WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     UNION ALL
     SELECT ext_id, id, version FROM ${resource} WHERE organization_id = $1 AND ext_id = ANY ($3::text[])`,
    [organizationId, ids, extIds],
  );
  return new Map(rows.map(({ name, id, version }) => [name, { id, version }]));
}

/** Makes the source ids of merged records names of the record that stays, so that references to them lead to it. */
export async function storeMergedAliases(
  client: PoolClient,
  resource: ResourceName,
  key: MigrationKey,
  clusters: readonly StoredCluster[],
): Promise<void> {
  const aliases = clusters.flatMap(({ rows, hereId, recordId }) =>
    recordId === null ? [] : rows.slice(hereId === null ? 1 : 0).map(({ ext_id }) => ({ ext_id, record_id: recordId })),
  );
  const { rows: added } = await client.query<{ ext_id: string }>(
    `INSERT INTO ext_aliases AS a (organization_id, ext_id, entity, record_id, migration_id)
     SELECT $1::uuid, given.ext_id, $3, given.record_id, $4::uuid
     FROM json_to_recordset($2::json) AS given (ext_id text, record_id uuid)
     ON CONFLICT (organization_id, ext_id) DO UPDATE
       SET entity = excluded.entity, record_id = excluded.record_id, migration_id = excluded.migration_id
     WHERE (a.entity, a.record_id) IS DISTINCT FROM (excluded.entity, excluded.record_id)
     RETURNING ext_id`,
    [key.organizationId, JSON.stringify(aliases), resource, key.migrationId],
  );
  const addedIds = added.map(({ ext_id }) => ext_id);
  await noteUnsearched(client, key, addedIds);
}

/** Records what became of the members of clusters, for later pages and for the list of what was merged. */
export async function recordOutcomes(
  client: PoolClient,
  organizationId: string,
  searchId: string,
  clusters: readonly (StoredCluster & { label: string })[],
  settled: Settled,
): Promise<void> {
  const records = clusters.flatMap((cluster) =>
    cluster.members.map(({ member }, index) => {
      const issue = issueFor(cluster, member, index);
      const outcome = issue?.outcome ?? outcomeOf(cluster, index);
      settled.set(member, { outcome, recordId: cluster.recordId, issue });
      return { member, rank: index + (cluster.hereId === null ? 0 : 1), record_id: cluster.recordId, outcome, issue };
    }),
  );
  await client.query(
    `UPDATE duplicate_records r
     SET rank = given.rank, record_id = given.record_id, outcome = given.outcome, issue = given.issue
     FROM json_to_recordset($3::json) AS given (member text, rank int, record_id uuid, outcome text, issue jsonb)
     WHERE r.organization_id = $1 AND r.search_id = $2 AND r.member = given.member`,
    [organizationId, searchId, JSON.stringify(records)],
  );
}

/** A record that is merged into another updates it, unless nothing has changed. */
function outcomeOf({ hereId, outcome }: StoredCluster, index: number): SettledRecord["outcome"] {
  if (outcome === "kept") return "skipped";
  return outcome === "created" && !(hereId === null && index === 0) ? "updated" : outcome;
}

function issueFor(cluster: StoredCluster & { label: string }, member: string, index: number): Issue | null {
  const { hereId, members, outcome, issue, skips, label } = cluster;
  if (outcome === "failed") return issue && { ...issue, ext_id: member };
  if (hereId === null && index === 0) return issue;
  if (!skips && outcome !== "kept") return null;
  const reason =
    `This ${label} is a duplicate of another one, which stays as it ` +
    (outcome === "kept" ? "was edited here. See `repeat` of the configuration." : "is.");
  return issueOf(member, "skipped", "duplicate", reason, "Id", hereId ?? members[0]?.member);
}
