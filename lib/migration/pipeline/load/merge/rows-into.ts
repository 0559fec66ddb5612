import type { PoolClient } from "pg";

import type { Repeat } from "@/lib/migration/configuration/configuration-schema";
import type { Winner } from "@/lib/migration/configuration/duplicate-rules";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { type HereRow, mergeInto } from "@/lib/migration/duplicates/merge-rows";
import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import { EDITED_HERE } from "@/lib/migration/pipeline/load/keep-edited";
import { isEdited, recordsWith } from "@/lib/migration/pipeline/load/load-statement";
import type { Merge } from "@/lib/migration/pipeline/load/merge/settled-clusters";
import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Row } from "@/lib/migration/pipeline/map/transform";

interface Target {
  client: PoolClient;
  organizationId: string;
  plan: ShapePlan;
  /** What becomes of records that somebody has edited here. */
  repeat: Repeat;
}

/**
 * The rows that records here become. They are locked, so that no edit is lost between reading and writing. Unless the
 * source wins over edits, those that somebody has edited since the last import stay as they are.
 */
export async function rowsInto(
  { client, organizationId, plan, repeat }: Target,
  merges: readonly Merge[],
  choices: PageClusters["choices"],
): Promise<{ rows: Row[]; issues: Issue[] }> {
  const { resource } = plan.shape;
  const { rows } = await client.query<{ record: HereRow; is_edited: boolean }>(
    `SELECT to_jsonb(r) AS record, imported_version IS NOT NULL AND ${isEdited("r")} AS is_edited
     FROM ${resource} r WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     ORDER BY id FOR NO KEY UPDATE`,
    [organizationId, merges.map(({ hereId }) => hereId)],
  );
  const stays = rows.filter((row) => row.is_edited && repeat !== "source_wins");
  const edited = new Set(stays.map(({ record }) => record.id));
  const here = new Map(rows.flatMap(({ record }) => (edited.has(record.id) ? [] : [[record.id, record]])));
  const references = await resolveReferences(client, organizationId, plan, merges);
  const become = merges.flatMap(({ hereId, rows: merged, isLate }) => {
    const record = here.get(hereId ?? "");
    return record ? [mergeInto(plan, record, merged, references, isLate ? oursFirst(choices) : choices)] : [];
  });
  const issues = [...edited].map((id) => issueOf(id, "skipped", EDITED_HERE, "Somebody has edited it here."));
  return { rows: become, issues };
}

/** The choices by which the record of a cluster keeps what its other records gave it. */
function oursFirst(choices: PageClusters["choices"]): PageClusters["choices"] {
  const fields = Object.entries(choices.fields).map(([name, winner]) => [name, notSource(winner)]);
  return { ...choices, wins: notSource(choices.wins), fields: Object.fromEntries(fields) };
}

function notSource(winner: Winner): Winner {
  return winner === "source" ? "ours" : winner;
}

async function resolveReferences(
  client: PoolClient,
  organizationId: string,
  { shape, references }: ShapePlan,
  merges: readonly Merge[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of references) {
    const { references: resource } = fieldOf(shape.resource, name);
    const extIds = merges.flatMap(({ rows }) => rows.map((row) => row[name])).filter((id) => typeof id === "string");
    const { rows } = await client.query<{ ext_id: string; id: string }>(
      `SELECT given.ext_id, target.id FROM unnest($2::text[]) AS given (ext_id)
       JOIN LATERAL (${recordsWith(resource ?? "", "given.ext_id")} LIMIT 1) AS target ON true`,
      [organizationId, [...new Set(extIds)]],
    );
    for (const { ext_id, id } of rows) found.set(ext_id, id);
  }
  return found;
}
