import { pool } from "@/lib/database/db";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import { completeSearch } from "@/lib/migration/duplicates/search-in-run";
import type { Search } from "@/lib/migration/duplicates/searches";
import { peopleIn } from "@/lib/migration/objects/key-prefixes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A record of a cluster, as a search has stored it. */
export interface ClusterMember {
  member: string;
  is_source: boolean;
  record_id: string | null;
  is_alias: boolean;
  cluster_id: string;
  rank: number;
  /** What became of it in this run; null until its cluster is stored. */
  outcome: "created" | "updated" | "unchanged" | "skipped" | "failed" | null;
}

/** The clusters that records of a page belong to. */
export interface PageClusters {
  searchId: string;
  choices: DuplicateChoices;
  clusters: ClusterMember[][];
  /** The mapped records of these clusters that are on other pages. */
  others: Outcome[];
}

/** Records that are stored together, with their clusters; null: no record of theirs is a duplicate. */
export interface Part {
  records: SourceRecord[];
  clusters: PageClusters | null;
  /** Whether it ends its page. */
  isLast: boolean;
}

/** Records of clusters that one part reads beside its own. */
const MAX_OTHERS = 2000;

/**
 * Records that are mapped and stored at once. Pages of the source have up to 2,000, because requests to it are limited.
 * Stored whole they are as fast, but take a tenth more memory.
 */
const RECORDS_AT_ONCE = 1000;

/**
 * Divides the records of a page into parts, each with its clusters and the records of these that are elsewhere: a
 * cluster is stored as a whole with the first of its records that is met, so that the result does not depend on pages.
 * A delta may meet any of them first.
 */
export async function* partsOf(
  session: RunSession,
  plan: Plan,
  records: SourceRecord[],
): AsyncGenerator<Part, void, undefined> {
  const search = completeSearch(session, plan.object.name);
  // Parts of one size: the size of the last one decides that of the next page.
  const size = Math.ceil(records.length / Math.ceil(records.length / RECORDS_AT_ONCE));
  for (let start = 0; start < records.length; start += size) {
    const some = records.slice(start, start + size);
    const isLast = start + size >= records.length;
    if (search)
      for await (const part of partsWithClusters(session, plan, search, some))
        yield { ...part, isLast: isLast && part.isLast };
    else yield { records: some, clusters: null, isLast };
  }
}

async function* partsWithClusters(
  session: RunSession,
  plan: Plan,
  search: Search,
  records: SourceRecord[],
): AsyncGenerator<Part, void, undefined> {
  const members = await membersOfPage(session, search, records);
  const byCluster = Map.groupBy(members, ({ cluster_id: cluster }) => cluster);
  const clusterOf = new Map(members.map((member) => [member.member, member.cluster_id]));
  const parts = [...divide(records, clusterOf, byCluster)];
  for (const [index, part] of parts.entries()) {
    const ids = new Set(part.map((record) => String(record.Id)));
    const clusters = [...new Set([...ids].flatMap((id) => clusterOf.get(id) ?? []))].map(
      (id) => byCluster.get(id) ?? [],
    );
    const others = clusters.filter((cluster) => !isStored(cluster)).flat();
    const missing = others.flatMap(({ member, is_source }) => (is_source && !ids.has(member) ? [member] : []));
    const found = { searchId: search.id, choices: search.choices, clusters };
    yield {
      records: part,
      clusters: clusters.length === 0 ? null : { ...found, others: await readOthers(session, plan, missing) },
      isLast: index === parts.length - 1,
    };
  }
}

/** The members of all clusters that records of a page belong to. Where duplicates stay, only what was merged before. */
async function membersOfPage(
  { run }: RunSession,
  search: Search,
  records: readonly SourceRecord[],
): Promise<ClusterMember[]> {
  const { rows } = await pool().query<ClusterMember>(
    `SELECT member, is_source, record_id, is_alias, cluster_id, rank, outcome FROM duplicate_records
     WHERE organization_id = $1 AND search_id = $2 AND cluster_id IN (
       SELECT cluster_id FROM duplicate_records
       WHERE organization_id = $1 AND search_id = $2 AND member = ANY ($3::text[]))
     ORDER BY cluster_id, rank`,
    [run.organizationId, search.id, records.map((record) => String(record.Id))],
  );
  if (search.choices.action !== "create") return rows;
  const merged = new Set(rows.flatMap((row) => (row.is_alias ? [row.cluster_id] : [])));
  return rows.filter((row) => merged.has(row.cluster_id) && row.record_id !== null);
}

/** Parts of a page whose clusters have at most {@link MAX_OTHERS} records together. */
function* divide(
  records: readonly SourceRecord[],
  clusterOf: ReadonlyMap<string, string>,
  byCluster: ReadonlyMap<string, readonly ClusterMember[]>,
): Generator<SourceRecord[], void, undefined> {
  let part: SourceRecord[] = [];
  let seen = new Set<string>();
  let size = 0;
  for (const record of records) {
    const cluster = clusterOf.get(String(record.Id));
    const added = cluster === undefined || seen.has(cluster) ? 0 : (byCluster.get(cluster)?.length ?? 0);
    if (size + added > MAX_OTHERS && part.length > 0) {
      yield part;
      [part, seen, size] = [[], new Set(), 0];
    }
    part.push(record);
    if (cluster !== undefined) seen.add(cluster);
    size += added;
  }
  if (part.length > 0) yield part;
}

/** Whether a cluster was stored already. One that the page before this is storing just now is read in vain. */
function isStored(cluster: readonly ClusterMember[]): boolean {
  return cluster.some(({ is_source: isSource, outcome }) => isSource && outcome !== null);
}

/** Reads and maps records of clusters that are on other pages. */
async function readOthers(session: RunSession, plan: Plan, ids: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const records of readAgain({ ...session, plan }, ids)) {
    await session.people.lookUp(records.flatMap(peopleIn));
    outcomes.push(...records.map((record) => transform(plan, record, session.people, session.run.organizationId)));
  }
  return outcomes;
}
