import { z } from "zod";

import { pool } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { findMigration } from "@/lib/migration/migration-view";
import { type issueGroup, issueGroups } from "@/lib/migration/record-issue";
import { defineOperation } from "@/lib/operation";

export const summarizeRecordIssues = defineOperation({
  name: "summarize_migration_errors",
  summary: "Count the source records that the latest run left out by object and reason; failed ones first, then the most frequent.",
  scopes: ["crm:read"],
  input: z.strictObject({ migration_id: pathId("migration") }),
  output: issueGroups,
  async run(context, { migration_id }) {
    await findMigration(context.organizationId, migration_id);
    const { rows } = await pool().query<z.infer<typeof issueGroup>>(
      `SELECT object, outcome, code, CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason, count(*)::int AS count
       FROM migration_record_issues WHERE organization_id = $1 AND migration_id = $2
       GROUP BY object, outcome, code ORDER BY outcome DESC, count DESC, object, code`,
      [context.organizationId, migration_id],
    );
    return { data: rows };
  },
});
