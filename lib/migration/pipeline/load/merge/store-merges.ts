import type { PoolClient } from "pg";

import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { mergeRows } from "@/lib/migration/duplicates/merge-rows";
import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import { numberCases } from "@/lib/migration/pipeline/load/case-numbers";
import { type Loaded, loadRows } from "@/lib/migration/pipeline/load/load-rows";
import { rowsInto } from "@/lib/migration/pipeline/load/merge/rows-into";
import {
  type Merge,
  recordOutcomes,
  type Settled,
  storeMergedAliases,
  type StoredCluster,
  versionsOf,
} from "@/lib/migration/pipeline/load/merge/settled-clusters";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf } from "@/lib/migration/pipeline/map/transform";
import type { RunKey } from "@/lib/migration/migration-schema";

/** Whether events are emitted, and what becomes of records that were edited here. */
export type StoreChoices = Pick<Configuration, "send_events" | "repeat">;

/** Where outcomes are stored. */
export interface LoadTarget {
  client: PoolClient;
  run: RunKey;
  plan: Plan;
  choices: StoreChoices;
}

/** Stores clusters, and adds to `settled` what became of their records. Returns the characters that were stored. */
export async function storeMerges(
  target: LoadTarget,
  merges: readonly Merge[],
  searchId: string,
  choices: PageClusters["choices"],
  settled: Settled,
): Promise<number> {
  if (merges.length === 0) return 0;
  const { client, run, plan } = target;
  const { organizationId } = run;
  const { resource } = plan.main.shape;
  const skips = choices.action === "skip";
  const before = await versionsOf(client, plan.main, organizationId, merges.map(nameOf));
  const loaded = await loadMerges(target, merges, choices);
  const after = await versionsOf(client, plan.main, organizationId, merges.map(nameOf));
  const issues = new Map(loaded.flatMap((some) => some.issues.map((issue) => [issue.ext_id, issue])));
  const results = merges.map((merge) => {
    const found = { before: before.get(keyOf(merge)), after: after.get(keyOf(merge)), issue: issues.get(keyOf(merge)) };
    return { ...merge, skips, label: plan.object.label, ...changeOf(found, merge) };
  });
  await storeMergedAliases(client, resource, run, results);
  await recordOutcomes(client, organizationId, searchId, results, settled);
  return loaded.reduce((sum, { size }) => sum + size, 0);
}

/** Stores the record of each cluster. Issues have the id by which it is stored. */
async function loadMerges(
  target: LoadTarget,
  merges: readonly Merge[],
  choices: PageClusters["choices"],
): Promise<Pick<Loaded, "issues" | "size">[]> {
  const { client, run, plan } = target;
  const { send_events: emits, repeat } = target.choices;
  const loading = { ...run, client, plan: plan.main, object: plan.object, emits, repeat };
  const skips = choices.action === "skip";
  const own = merges
    .filter(({ hereId }) => hereId === null)
    .map(({ rows }) => (skips ? rows[0] : mergeRows(plan.main, rows, choices)));
  const numbered = plan.object.name === "Case" ? await numberCases(client, run.organizationId, own) : own;
  const loaded: Pick<Loaded, "issues" | "size">[] = [await loadRows(loading, numbered)];
  const foreign = skips ? [] : merges.filter(({ hereId }) => hereId !== null);
  if (foreign.length === 0) return loaded;
  const into = { client, organizationId: run.organizationId, plan: plan.main, repeat };
  const { rows, issues } = await rowsInto(into, foreign, choices);
  // What somebody has edited is not among them.
  loaded.push({ issues, size: 0 }, await loadRows({ ...loading, repeat: "source_wins", by: "id" }, rows));
  return loaded;
}

function nameOf({ rows: [first], hereId }: Merge): { id: string | null; extId: string } {
  return { id: hereId, extId: first.ext_id };
}

/** The id by which the record of a cluster is stored. */
function keyOf(merge: Merge): string {
  const { id, extId } = nameOf(merge);
  return id ?? extId;
}

type Version = ReturnType<Awaited<ReturnType<typeof versionsOf>>["get"]>;

/** What became of the record of a cluster. */
function changeOf(
  { before, after, issue }: { before: Version; after: Version; issue: Issue | undefined },
  merge: Merge,
): Pick<StoredCluster, "recordId" | "outcome" | "issue"> {
  if (issue?.outcome === "failed" || !after)
    return { recordId: null, outcome: "failed", issue: issue ?? goneIssue(keyOf(merge)) };
  if (issue) return { recordId: after.id, outcome: "kept", issue };
  if (!before) return { recordId: after.id, outcome: "created", issue: null };
  return { recordId: after.id, outcome: before.version === after.version ? "unchanged" : "updated", issue: null };
}

function goneIssue(id: string): Issue {
  const reason = "The record that it was to be merged into was deleted meanwhile. Run the migration again.";
  return issueOf(id, "failed", "not_storable", reason);
}
