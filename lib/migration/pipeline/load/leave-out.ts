import type { PoolClient } from "pg";

import type { SourceObject } from "@/lib/migration/objects/declaration";
import { findUnmerged, findHere } from "@/lib/migration/pipeline/load/find-here";
import { type Issue, issueOf, type Need, type Outcome, type Row } from "@/lib/migration/pipeline/map/transform";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The issue code of records that were left out because another record is not here, as the user chose. */
export const PARENT_NOT_HERE = "parent_not_here";

/**
 * Splits rows of a resource into those whose needed records are here, and those that lack one, each with the record
 * that it lacks. Without needs there is nothing to look up. A record that was merged into another one counts as here.
 * A record that an earlier run has imported is not left out for a link that it has lost since: it follows the source
 * without the link. Whether it lacks one to its own resource is known only once all of them are stored.
 */
export async function splitByParents(
  client: PoolClient,
  organizationId: string,
  resource: ResourceName,
  rows: readonly Row[],
): Promise<{ ready: Row[]; lacking: { row: Row; need: Need }[] }> {
  const here = await findNeeded(client, organizationId, rows);
  const checked = rows.map((row) => {
    const needs =
      row.needs?.filter(({ target, extId }) => extId !== row.ext_id && !here.has(`${target}/${extId}`)) ?? [];
    return { row, needs };
  });
  const mayStay = checked.filter(
    ({ needs }) => needs.length > 0 && needs.every(({ target, isRequired }) => target !== resource && !isRequired),
  );
  const named = mayStay.map(({ row }) => row.ext_id);
  const imported = await findUnmerged(client, organizationId, resource, named);
  const ready: Row[] = [];
  const lacking: { row: Row; need: Need }[] = [];
  for (const { row, needs } of checked) {
    const need = needs.find(({ target }) => target === resource) ?? needs[0];
    if (!need || imported.has(row.ext_id)) ready.push(row);
    else lacking.push({ row, need });
  }
  return { ready, lacking };
}

/** The outcome without its needs, so that it is stored even if the records that it refers to are missing. */
export function withoutNeeds(outcome: Outcome): Outcome {
  return "row" in outcome ? { ...outcome, row: { ...outcome.row, needs: [] } } : outcome;
}

/** The records that rows need and that are here, as `resource/ext_id`. */
async function findNeeded(client: PoolClient, organizationId: string, rows: readonly Row[]): Promise<Set<string>> {
  const needed = new Set<string>();
  const needs = rows.flatMap((row) => row.needs ?? []);
  for (const [target, named] of Map.groupBy(needs, (need) => need.target)) {
    const extIds = named.map(({ extId }) => extId);
    for (const extId of await findHere(client, organizationId, target, extIds)) needed.add(`${target}/${extId}`);
  }
  return needed;
}

/** Why a row is left out. */
export function lackingIssue({ label }: Pick<SourceObject, "label">, row: Row, { field, extId, target }: Need): Issue {
  const reason =
    `The ${ENTITIES[target].label} ${extId} that this ${label} names is not here, and the ` +
    "configuration leaves such records out.";
  return issueOf(row.ext_id, "skipped", PARENT_NOT_HERE, reason, field, extId);
}
