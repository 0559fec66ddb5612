import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import { mergeRows } from "@/lib/migration/duplicates/merge-rows";
import { type Row, transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import type { Comparing } from "@/lib/migration/proof/compare-ids";
import type { ComparedField } from "@/lib/migration/proof/compare-values";
import type { ComparedLink } from "@/lib/migration/proof/compared-fields";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A cluster that the run has merged into one of its records. */
interface MergedCluster {
  choices: DuplicateChoices;
  /** The source ids, that of the record that stays first. */
  members: string[];
}

/** Clusters that are read again at once; a cluster has at most a few hundred records. */
const BATCH = 200;

/**
 * $1: the organization, $2: the migration, $3: the object. Records that were merged into one of ours are in no sum:
 * those are no records of the source. What the run left out or failed to store is listed with its reason.
 */
const CLUSTERS = `
  SELECT s.choices, array_agg(r.member ORDER BY r.rank) AS members
  FROM duplicate_searches s
  JOIN duplicate_records r ON r.organization_id = s.organization_id AND r.search_id = s.id
  WHERE s.organization_id = $1 AND s.migration_id = $2 AND s.object = $3 AND s.purpose = 'run'
    AND r.is_source AND r.outcome IN ('created', 'updated', 'unchanged')
  GROUP BY s.organization_id, s.id, r.cluster_id HAVING min(r.rank) = 0 AND count(*) > 1 ORDER BY r.cluster_id`;

/** The source ids of the records that stay of clusters, and the values that they have of all of them. */
export interface Survivors {
  ids: string[];
  /** By source field, as a record of the source would have them to become what is stored here. */
  become: SourceRecord[];
}

/** What the run made of clusters, by its own rules from the records of the source as they are now. */
export async function readSurvivors(
  comparing: Comparing,
  fields: readonly ComparedField[],
  relationships: readonly ComparedLink[],
): Promise<Survivors> {
  const { key, plan } = comparing;
  const { rows: clusters } = await pool().query<MergedCluster>(CLUSTERS, [
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
