import { z } from "zod";

import { pool } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";
import { opportunity } from "@/lib/records/entities/opportunity";
import { noSuchRecord } from "@/lib/records/get-record";

const { stage } = opportunity.fields;

const stageChange = z.object({
  id: z.uuidv7(),
  from_stage: stage.output.nullable().describe("Null when the opportunity was created."),
  to_stage: stage.output,
  changed_at: z.iso.datetime({ precision: 3 }),
  changed_by_id: z.uuidv7(),
});

interface StageChangeRow extends Omit<z.output<typeof stageChange>, "changed_at"> {
  changed_at: Date;
}

const PAGE = `
  SELECT id, from_stage, to_stage, changed_at, changed_by_id FROM opportunity_stage_changes
  WHERE organization_id = $1 AND opportunity_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`;

const NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export const listStageChanges = defineOperation({
  name: "list_stage_changes",
  summary: "List the stages that an opportunity went through, newest first.",
  scopes: opportunity.readScopes,
  input: z.strictObject({ id: pathId("opportunity"), ...pageInput }),
  output: pageOutput(stageChange),
  run: async ({ organizationId }, { id, limit, cursor }) => {
    const exists =
      isId(id) && (await pool().query("SELECT FROM opportunities WHERE organization_id = $1 AND id = $2", [organizationId, id])).rowCount;
    if (!exists) throw noSuchRecord(opportunity);
    const { rows } = await pool().query<StageChangeRow>(PAGE, [organizationId, id, cursor ?? NEWEST, limit + 1]);
    const changes = rows.map((row) => ({ ...row, changed_at: row.changed_at.toISOString() }));
    return cutPage(changes, limit, (change) => change.id);
  },
});
