import { createHash } from "node:crypto";

import { pool } from "@/lib/database/db";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { conditionsOf, type Window } from "@/lib/migration/pipeline/read/window";
import { MAX_SHOWN_IDS, type ObjectProof } from "@/lib/migration/proof/proof-schema";
import { SourceIds } from "@/lib/migration/proof/records-not-in-source";
import type { SourceSums } from "@/lib/migration/proof/source-sums";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { select } from "@/lib/salesforce/query";

type IdComparison = Pick<
  ObjectProof,
  "soql" | "source" | "imported" | "merged" | "left_out" | "missing" | "missing_ids" | "digests"
>;

/** The work on one object: which migration, with which client, how it was read and mapped. */
export interface Comparing {
  key: MigrationKey;
  client: SalesforceClient;
  plan: Plan;
  window: Window;
  /** Whether other choices than those of the plan made what is here. */
  choicesChanged?: boolean;
}

/** {@link Comparing}, with the source ids of records here that the source does not have. */
export interface ComparingFields extends Comparing {
  notInSource: readonly string[];
  /** The sums of amounts, as {@link compareIds} has added them up; null: Salesforce adds them up. */
  sums: SourceSums | null;
}

/**
 * Reads the ids of an object once more and looks each up here: as a record, as one that was merged into another, or as
 * one that the run left out. The source returns ids in byte order, so the digests need no sorting. Returns the
 * ids as well, and adds the amounts of the same records to `sums`.
 */
export async function compareIds(
  { key, client, plan, window }: Comparing,
  sums: SourceSums | null = null,
): Promise<IdComparison & { ids: SourceIds }> {
  const from = plan.object.name;
  const where = conditionsOf(from, window);
  const text = lookupText(plan);
  const found = { imported: 0, merged: 0, left_out: 0, missing: 0 };
  const missingIds: string[] = [];
  const sourceIds = new SourceIds();
  const digests = { source: createHash("sha256"), accounted_for: createHash("sha256") };
  const size = { records: plan.object.maxPageRecords ?? MAX_PAGE_RECORDS };
  const read = { from, fields: ["Id", ...(sums?.fields ?? [])], where, after: null, all: true, size };
  for await (const page of readByKeyset(client, read)) {
    const ids = page.map(({ Id }) => String(Id));
    sourceIds.add(ids);
    sums?.add(page);
    const { rows } = await pool().query<{ ext_id: string; found: keyof typeof found }>(text, [
      key.organizationId,
      ids,
      key.migrationId,
      from,
    ]);
    for (const row of rows) {
      found[row.found] += 1;
      digests.source.update(`${row.ext_id}\n`);
      if (row.found !== "missing") digests.accounted_for.update(`${row.ext_id}\n`);
      else if (missingIds.length < MAX_SHOWN_IDS) missingIds.push(row.ext_id);
    }
  }
  return {
    soql: select({ fields: ["Id"], from, where, orderBy: "Id" }),
    source: found.imported + found.merged + found.left_out + found.missing,
    ...found,
    ids: sourceIds,
    missing_ids: missingIds,
    digests: { source: digests.source.digest("hex"), accounted_for: digests.accounted_for.digest("hex") },
  };
}

/** What became of each id, in the given order. $1: the organization, $2: the ids, $3: the migration, $4: the object. */
function lookupText({ object }: Plan): string {
  const isRecord = resourcesOf(object)
    .map((resource) => `EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.ext_id = ids.ext_id)`)
    .join(" OR ");
  return `SELECT ids.ext_id, CASE
      WHEN ${isRecord} THEN 'imported'
      WHEN EXISTS (
        SELECT FROM migration_record_issues i WHERE i.organization_id = $1 AND i.migration_id = $3 AND i.object = $4
          AND i.ext_id = ids.ext_id
      ) THEN 'left_out'
      WHEN EXISTS (SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = ids.ext_id) THEN 'merged'
      ELSE 'missing' END AS found
    FROM unnest($2::text[]) WITH ORDINALITY AS ids (ext_id, position) ORDER BY position`;
}
