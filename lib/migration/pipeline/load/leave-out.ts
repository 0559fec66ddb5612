import type { PoolClient } from "pg";

import type { SourceObject } from "@/lib/migration/objects/declaration";
import { type Issue, issueOf, type Need, type Row } from "@/lib/migration/pipeline/map/transform";
import { ENTITIES } from "@/lib/records/schema/registry";

/** The issue code of records that were left out because another record is not here, as the user chose. */
export const PARENT_NOT_HERE = "parent_not_here";

/**
 * Splits rows into those whose needed records are here, and those that lack one, each with the record that it lacks.
 * Without needs there is nothing to look up. A record that was merged into another one counts as here.
 */
export async function splitByParents(
  client: PoolClient,
  organizationId: string,
  rows: readonly Row[],
): Promise<{ ready: Row[]; lacking: { row: Row; need: Need }[] }> {
  const needs = rows.flatMap((row) => row.needs ?? []);
  const here = await findHere(client, organizationId, needs);
  const ready: Row[] = [];
  const lacking: { row: Row; need: Need }[] = [];
  for (const row of rows) {
    const need = row.needs?.find(({ target, extId }) => extId !== row.ext_id && !here.has(`${target}/${extId}`));
    if (need) lacking.push({ row, need });
    else ready.push(row);
  }
  return { ready, lacking };
}

/** The needed records that are here, as `resource/ext_id`. */
async function findHere(client: PoolClient, organizationId: string, needs: readonly Need[]): Promise<Set<string>> {
  const here = new Set<string>();
  for (const [target, named] of Map.groupBy(needs, (need) => need.target)) {
    const { rows } = await client.query<{ ext_id: string }>(
      `SELECT ext_id FROM ${target} WHERE organization_id = $1 AND ext_id = ANY ($2::text[])
       UNION ALL SELECT ext_id FROM ext_aliases
       WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) AND entity = '${target}'`,
      [organizationId, [...new Set(named.map(({ extId }) => extId))]],
    );
    for (const { ext_id } of rows) here.add(`${target}/${ext_id}`);
  }
  return here;
}

/** Why a row is left out. */
export function lackingIssue({ label }: Pick<SourceObject, "label">, row: Row, { field, extId, target }: Need): Issue {
  const reason =
    `The ${ENTITIES[target].singular.replaceAll("_", " ")} ${extId} that this ${label} names is not here, and the ` +
    "configuration leaves such records out.";
  return issueOf(row.ext_id, "skipped", PARENT_NOT_HERE, reason, field, extId);
}
