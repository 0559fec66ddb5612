import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Entity } from "@/lib/records/entity";

interface StageChange {
  /** The opportunity's. */
  id: string;
  from: unknown;
  to: unknown;
}

const INSERT = `
  INSERT INTO opportunity_stage_changes (organization_id, id, opportunity_id, from_stage, to_stage, changed_at, changed_by_id)
  SELECT $1, c.id, c.opportunity_id, c.from_stage, c.to_stage, now(), $2
  FROM jsonb_to_recordset($3::jsonb) AS c (id uuid, opportunity_id uuid, from_stage opportunity_stage, to_stage opportunity_stage)`;

/** Keeps the history of stages, in the transaction that changes them. Other entities have none. */
export async function recordStageChanges(client: PoolClient, entity: Entity, context: Context, changes: readonly StageChange[]): Promise<void> {
  const moved = entity.resource === "opportunities" ? changes.filter(({ from, to }) => to !== undefined && to !== from) : [];
  if (moved.length === 0) return;
  const rows = moved.map(({ id, from, to }) => ({ id: newId(), opportunity_id: id, from_stage: from, to_stage: to }));
  await client.query({ name: "insert stage changes", text: INSERT, values: [context.organizationId, context.userId, JSON.stringify(rows)] });
}
