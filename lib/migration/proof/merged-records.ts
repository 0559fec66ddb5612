import { batchesOf } from "@/lib/batches";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import { mergeRows } from "@/lib/migration/duplicates/merge-rows";
import { queryLong } from "@/lib/migration/long-statements";
import { type Row, transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import type { Comparing } from "@/lib/migration/proof/compare-ids";
import type { ComparedField } from "@/lib/migration/proof/compare-values";
import type { ComparedLink } from "@/lib/migration/proof/compared-fields";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A cluster that a run has merged into one of its records. */
interface MergedCluster {
  choices: DuplicateChoices;
  /** The source ids, that of the record here first. */
  members: string[];
}

/** Clusters that are read again at once; a cluster has at most a few hundred records. */
const BATCH = 200;

/**
 * SQL: whether a record became one with others of its cluster. A delta stores only the clusters that it meets. Of the
 * others, those records became one that an earlier run has merged, without what it left out.
 */
const IS_MERGED = `CASE
    WHEN is_stored THEN outcome IN ('created', 'updated', 'unchanged')
    ELSE choices ->> 'action' <> 'skip' AND NOT EXISTS (
      SELECT FROM migration_record_issues i
      WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3 AND i.ext_id = member)
    END`;

/**
 * $1: the organization, $2: the migration, $3: the object. Records that were merged into one of ours are in no sum:
 * those are no records of the source. What the run left out or failed to store is listed with its reason.
 */
function clustersOf(resource: ResourceName): string {
  return `
  WITH found AS (
    SELECT s.choices, r.member, r.cluster_id, r.rank, r.record_id, r.outcome,
      bool_or(r.outcome IS NOT NULL) OVER (PARTITION BY r.cluster_id) AS is_stored
    FROM duplicate_searches s
    JOIN duplicate_records r ON r.organization_id = s.organization_id AND r.search_id = s.id
    WHERE s.organization_id = $1 AND s.migration_id = $2 AND s.object = $3 AND s.purpose = 'run' AND r.is_source
  )
  SELECT choices, array_agg(member ORDER BY member <> here.ext_id, rank) AS members
  FROM found JOIN ${resource} here ON here.organization_id = $1 AND here.id = found.record_id
  WHERE ${IS_MERGED}
  GROUP BY choices, cluster_id HAVING bool_or(member = here.ext_id) AND count(*) > 1 ORDER BY cluster_id`;
}

/** The source ids of the records that stay of clusters, and the values that they have of all of them. */
export interface Survivors {
  ids: string[];
  /** The values by source field that a record of the source would need to become what is stored here. */
  become: SourceRecord[];
}

/** What runs made of clusters, by their own rules from the records of the source as they are now. */
export async function readSurvivors(
  comparing: Comparing,
  fields: readonly ComparedField[],
  relationships: readonly ComparedLink[],
): Promise<Survivors> {
  const { key, plan } = comparing;
  const clusters = await queryLong<MergedCluster>(clustersOf(plan.main.shape.resource), [
    key.organizationId,
    key.migrationId,
    plan.object.name,
  ]);
  const survivors: Survivors = { ids: [], become: [] };
  for (const some of batchesOf(clusters, BATCH)) {
    const rows = await rowsOf(
      comparing,
      some.flatMap(({ members }) => members),
    );
    for (const { choices, members } of some) {
      const [first, ...others] = members.flatMap((member) => rows.get(member) ?? []);
      if (!first) continue;
      survivors.ids.push(first.ext_id);
      survivors.become.push(valuesOf(mergeRows(plan.main, [first, ...others], choices), fields, relationships));
    }
  }
  return survivors;
}

async function rowsOf(comparing: Comparing, ids: readonly string[]): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const records of readAgain(comparing, ids))
    for (const record of records) {
      // Owners are not compared, so nobody has to be matched.
      const outcome = transform(comparing.plan, record, NOBODY, comparing.key.organizationId);
      if (!("issue" in outcome)) rows.set(outcome.row.ext_id, outcome.row);
    }
  return rows;
}

function valuesOf(row: Row, fields: readonly ComparedField[], relationships: readonly ComparedLink[]): SourceRecord {
  const values: SourceRecord = { Id: row.ext_id };
  for (const { source, target } of fields)
    values[source] = row.custom_fields[source] ?? (target === CUSTOM_FIELDS ? null : row[target]) ?? null;
  for (const { field, column } of relationships)
    values[field] ??= row[`${column}_from`] === field ? (row[column] ?? null) : null;
  return values;
}
