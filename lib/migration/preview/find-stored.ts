import type { PoolClient } from "pg";

import { resourcesOf } from "@/lib/migration/objects/declaration";
import { isEdited } from "@/lib/migration/pipeline/load/load-statement";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { selectView } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a record is in the form of the API. */
export type View = Record<string, unknown> & { id: string; version: number; custom_fields: Record<string, unknown> };

export interface Stored {
  resource: ResourceName;
  view: View;
  isEdited: boolean;
}

/** The records here of source ids, in either shape of the object. */
export async function findStored(
  client: PoolClient,
  { organizationId }: MigrationKey,
  plan: Plan,
  extIds: readonly string[],
): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>();
  for (const resource of resourcesOf(plan.object)) {
    const { rows } = await client.query<{ ext_id: string; view: View; edited: boolean }>(
      `SELECT r.ext_id, ${isEdited("r")} AS edited,
         (SELECT to_jsonb(v) FROM (SELECT ${selectView(ENTITIES[resource], {}, "r")}) AS v) AS view
       FROM ${resource} AS r WHERE r.organization_id = $1 AND r.ext_id = ANY ($2::text[])`,
      [organizationId, extIds],
    );
    for (const { ext_id, view, edited } of rows) stored.set(ext_id, { resource, view, isEdited: edited });
  }
  return stored;
}

/** The records that earlier runs merged others into. Tasks are no duplicates but copies of e-mails. */
export async function mergedInto(
  client: PoolClient,
  { organizationId }: MigrationKey,
  { object }: Plan,
  extIds: readonly string[],
): Promise<Map<string, string>> {
  if (object.name === "Task") return new Map();
  const { rows } = await client.query<{ ext_id: string; record_id: string }>(
    `SELECT ext_id, record_id FROM ext_aliases
     WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) AND entity = '${object.resource}'`,
    [organizationId, extIds],
  );
  return new Map(rows.map(({ ext_id, record_id }) => [ext_id, record_id]));
}
