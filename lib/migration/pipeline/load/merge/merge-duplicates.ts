import type { ClusterMember, PageClusters } from "@/lib/migration/duplicates/run-clusters";
import { skipDeleted } from "@/lib/migration/pipeline/load/deleted-here";
import type { Loaded } from "@/lib/migration/pipeline/load/load-rows";
import { lackingIssue, splitByParents } from "@/lib/migration/pipeline/load/leave-out";
import { lockClusters, type Merge, type Settled } from "@/lib/migration/pipeline/load/merge/settled-clusters";
import { type LoadTarget, storeMerges } from "@/lib/migration/pipeline/load/merge/store-merges";
import type { Outcome, Row } from "@/lib/migration/pipeline/map/transform";

/** What became of the records of a page that belong to clusters, and the records that belong to none. */
export interface Merged extends Pick<Loaded, "created" | "updated" | "unchanged" | "issues" | "size"> {
  rest: Outcome[];
}

const NOTHING = { created: 0, updated: 0, unchanged: 0, issues: [], size: 0 };

/**
 * Stores the clusters that a page meets first, each as a whole, in the transaction of the page. Its records on later
 * pages are then counted by what became of it: the one that stays as created, updated or unchanged; the others as
 * updated or unchanged with it, or as skipped. A record that lacks its parent, and is left out by choice, is left out
 * of its cluster too. If it is stored after all, it joins the record that its cluster has become.
 */
export async function mergeDuplicates(
  target: LoadTarget,
  outcomes: Outcome[],
  page: PageClusters | null,
): Promise<Merged> {
  if (!page) return { ...NOTHING, rest: outcomes };
  const { searchId, choices, clusters, others } = page;
  const { client, run, plan } = target;
  const settled = await lockClusters(client, run.organizationId, searchId, clusters);
  const living = await skipDeleted(client, run.organizationId, plan, others);
  const rows = rowsOf([...outcomes, ...living], clusters);
  const { ready, lacking } = await splitByParents(client, run.organizationId, plan.main.shape.resource, rows);
  const present = new Map(ready.map((row) => [row.ext_id, row]));
  const merges = await onlyPresent(
    target,
    clusters.flatMap((cluster) => mergeOf(cluster, present, settled) ?? []),
  );
  const size = await storeMerges(target, merges, searchId, choices, settled);
  const issues = lacking.map(({ row, need }) => lackingIssue(plan.object, row, need));
  for (const issue of issues)
    if (!settled.has(issue.ext_id)) settled.set(issue.ext_id, { outcome: "skipped", recordId: null, issue });
  return { ...countPage(outcomes, settled), size };
}

/** The rows that belong to clusters. */
function rowsOf(outcomes: readonly Outcome[], clusters: readonly ClusterMember[][]): Row[] {
  const members = new Set(clusters.flat().map(({ member }) => member));
  return outcomes.flatMap((outcome) => ("issue" in outcome || !members.has(outcome.row.ext_id) ? [] : [outcome.row]));
}

/** Null if there is nothing to store: its records are stored already, or none is left in the source. */
function mergeOf(cluster: readonly ClusterMember[], rows: ReadonlyMap<string, Row>, settled: Settled): Merge | null {
  const recordId = cluster.flatMap(({ member }) => settled.get(member)?.recordId ?? [])[0];
  if (recordId !== undefined) return lateMergeOf(cluster, rows, settled, recordId);
  if (cluster.some(({ member }) => settled.has(member))) return null;
  const present = cluster.filter(({ member }) => rows.has(member));
  const own = present.find(({ record_id: recordId, is_alias: isAlias }) => recordId !== null && !isAlias);
  const members = own ? [own, ...present.filter((member) => member !== own)] : present;
  const [first, ...more] = members.flatMap(({ member }) => rows.get(member) ?? []);
  if (!first) return null;
  const hereId = own ? null : (cluster.find(({ record_id: recordId }) => recordId !== null)?.record_id ?? null);
  return { rows: [first, ...more], hereId, members, isLate: false };
}

function lateMergeOf(
  cluster: readonly ClusterMember[],
  rows: ReadonlyMap<string, Row>,
  settled: Settled,
  hereId: string,
): Merge | null {
  const members = cluster.filter(({ member }) => rows.has(member) && !settled.has(member));
  const [first, ...more] = members.flatMap(({ member }) => rows.get(member) ?? []);
  return first ? { rows: [first, ...more], hereId, members, isLate: true } : null;
}

/** Somebody may have deleted the record here since the search. Then the records of the source stand for themselves. */
async function onlyPresent({ client, run, plan }: LoadTarget, merges: Merge[]): Promise<Merge[]> {
  const ids = merges.flatMap(({ hereId }) => hereId ?? []);
  if (ids.length === 0) return merges;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${plan.main.shape.resource} WHERE organization_id = $1 AND id = ANY ($2::uuid[])`,
    [run.organizationId, ids],
  );
  const present = new Set(rows.map(({ id }) => id));
  return merges.map((merge) => ({ ...merge, hereId: present.has(merge.hereId ?? "") ? merge.hereId : null }));
}

/** Counts the records of a page that belong to stored clusters. The others are stored one by one. */
function countPage(outcomes: readonly Outcome[], settled: Settled): Omit<Merged, "size"> {
  const merged: Omit<Merged, "size"> = { created: 0, updated: 0, unchanged: 0, issues: [], rest: [] };
  for (const outcome of outcomes) {
    const found = "issue" in outcome ? undefined : settled.get(outcome.row.ext_id);
    if (!found) merged.rest.push(outcome);
    else if (found.issue) merged.issues.push(found.issue);
    else if (found.outcome !== "skipped" && found.outcome !== "failed") merged[found.outcome] += 1;
  }
  return merged;
}
