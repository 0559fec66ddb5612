import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { MAX_UUID, newId } from "@/lib/ids";
import { pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { opportunity } from "@/lib/records/entities/opportunity";
import { assertRecordId, noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { fieldOutput } from "@/lib/records/schema/field-schema";

interface StageChange {
  /** The opportunity's id. */
  id: string;
  from: unknown;
  to: unknown;
}

const INSERT = `
  INSERT INTO opportunity_stage_changes (
    organization_id, id, opportunity_id, from_stage, to_stage, changed_at, changed_by_id)
  SELECT $1, c.id, c.opportunity_id, c.from_stage, c.to_stage, now(), $2
  FROM jsonb_to_recordset($3::jsonb)
    AS c (id uuid, opportunity_id uuid, from_stage opportunity_stage, to_stage opportunity_stage)`;

/** Records the changes of stages, in the transaction that makes them. Other entities have no such history. */
export async function recordStageChanges(
  client: PoolClient,
  entity: Entity,
  context: Context,
  changes: readonly StageChange[],
): Promise<void> {
  const moved =
    entity.resource === "opportunities" ? changes.filter(({ from, to }) => to !== undefined && to !== from) : [];
  if (moved.length === 0) return;
  const rows = moved.map(({ id, from, to }) => ({ id: newId(), opportunity_id: id, from_stage: from, to_stage: to }));
  await client.query({
    name: "insert stage changes",
    text: INSERT,
    values: [context.organizationId, context.userId, JSON.stringify(rows)],
  });
}

const { stage } = opportunity.fields;

const stageChange = z.object({
  id: z.uuidv7(),
  from_stage: fieldOutput(stage).nullable().describe("Null when the opportunity was created."),
  to_stage: fieldOutput(stage),
  changed_at: timestampOutput,
  changed_by_id: z.uuidv7(),
});

interface StageChangeRow extends Omit<z.output<typeof stageChange>, "changed_at"> {
  changed_at: Date;
}

const EXISTS = "SELECT FROM opportunities WHERE organization_id = $1 AND id = $2";

const PAGE = `
  SELECT id, from_stage, to_stage, changed_at, changed_by_id FROM opportunity_stage_changes
  WHERE organization_id = $1 AND opportunity_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`;

export const listStageChanges = defineOperation({
  name: "list_stage_changes",
  summary: "List the stages that an opportunity went through, newest first.",
  scopes: opportunity.readScopes,
  input: z.strictObject({ id: pathId("opportunity"), ...pageInput }),
  output: pageOutput(stageChange),
  run: async ({ organizationId }, { id, limit, cursor }) => {
    assertRecordId(opportunity, id);
    const found = await pool().query(EXISTS, [organizationId, id]);
    if (found.rowCount === 0) throw noSuchRecord(opportunity);
    const { rows } = await pool().query<StageChangeRow>(PAGE, [organizationId, id, cursor ?? MAX_UUID, limit + 1]);
    const changes = rows.map((row) => ({ ...row, changed_at: row.changed_at.toISOString() }));
    return cutPage(changes, limit, (change) => change.id);
  },
});
