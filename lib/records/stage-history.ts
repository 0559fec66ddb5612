import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { MAX_UUID, newId } from "@/lib/ids";
import { pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { opportunity } from "@/lib/records/entities/opportunity";
import { assertRecordId, noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { fieldOutput } from "@/lib/records/schema/field-schema";

/** Who moved an opportunity, and between which stages; `from_stage` is null when it was created. */
export interface StageChange {
  id: string;
  from_stage: unknown;
  to_stage: unknown;
  changed_by_id: string;
}

/** The change of an opportunity's stage, if there is one. Other entities have no such history. */
export function stageChange(
  entity: Entity,
  { userId }: Pick<Context, "userId">,
  { from, to }: { from: unknown; to: unknown },
): StageChange | null {
  if (entity.resource !== "opportunities" || to === undefined || to === from) return null;
  return { id: newId(), from_stage: from, to_stage: to, changed_by_id: userId };
}

/** A CTE that stores the changes of stages that the events $3 carry, of the opportunities in `written`. */
export const STAGE_CHANGES = `moved AS (
    INSERT INTO opportunity_stage_changes (
      organization_id, id, opportunity_id, from_stage, to_stage, changed_at, changed_by_id)
    SELECT $1, c.id, written.id, c.from_stage, c.to_stage, written.stage_changed_at, c.changed_by_id
    FROM jsonb_to_recordset($3::jsonb) AS e (record_id uuid, stage_change jsonb)
      JOIN written ON written.id = e.record_id
      CROSS JOIN LATERAL jsonb_to_record(e.stage_change)
        AS c (id uuid, from_stage opportunity_stage, to_stage opportunity_stage, changed_by_id uuid)
    WHERE e.stage_change <> 'null'
  )`;

const { stage } = opportunity.fields;

const stageChangeOutput = z.object({
  id: z.uuidv7(),
  from_stage: fieldOutput(stage).nullable().describe("Null when the opportunity was created."),
  to_stage: fieldOutput(stage),
  changed_at: timestampOutput,
  changed_by_id: z.uuidv7(),
});

type ListedChange = z.output<typeof stageChangeOutput>;

const EXISTS = "SELECT FROM opportunities WHERE organization_id = $1 AND id = $2";

const PAGE = `
  SELECT id, from_stage, to_stage, ${isoText("changed_at")} AS changed_at, changed_by_id FROM opportunity_stage_changes
  WHERE organization_id = $1 AND opportunity_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`;

export const listStageChanges = defineOperation({
  name: "list_stage_changes",
  summary: "List the stages that an opportunity went through, newest first.",
  scopes: opportunity.readScopes,
  input: z.strictObject({ id: pathId("opportunity"), ...pageInput }),
  output: pageOutput(stageChangeOutput),
  run: async ({ organizationId }, { id, limit, cursor }) => {
    assertRecordId(opportunity, id);
    const found = await pool().query(EXISTS, [organizationId, id]);
    if (found.rowCount === 0) throw noSuchRecord(opportunity);
    const { rows } = await pool().query<ListedChange>(PAGE, [organizationId, id, cursor ?? MAX_UUID, limit + 1]);
    return cutPage(rows, limit, ({ id: changeId }) => changeId);
  },
});
