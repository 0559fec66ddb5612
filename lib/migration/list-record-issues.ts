import { z } from "zod";

import { pool } from "@/lib/db";
import { pathId } from "@/lib/id-input";
import { findMigration } from "@/lib/migration/migration-view";
import { migratedObject, recordIssue } from "@/lib/migration/schemas";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

type RecordIssue = z.infer<typeof recordIssue>;

export const listRecordIssues = defineOperation({
  name: "list_migration_errors",
  summary: "List the source records that the latest run left out, skipped on purpose or failed, each with its reason; the latest first.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    migration_id: pathId("migration"),
    object: migratedObject.optional().describe("Records of this source object only."),
    outcome: recordIssue.shape.outcome.optional().describe("skipped: on purpose. failed: could not be imported."),
  }),
  output: pageOutput(recordIssue),
  async run(context, { migration_id, limit, cursor, object, outcome }) {
    await findMigration(context.organizationId, migration_id);
    const { rows } = await pool().query<RecordIssue>(
      `SELECT id, object, ext_id, outcome, code, field, value, reason FROM migration_record_issues
       WHERE organization_id = $1 AND migration_id = $2 AND ($3::uuid IS NULL OR id < $3)
         AND ($4::text IS NULL OR object = $4) AND ($5::migration_outcome IS NULL OR outcome = $5)
       ORDER BY id DESC LIMIT $6`,
      [context.organizationId, migration_id, cursor ?? null, object ?? null, outcome ?? null, limit + 1],
    );
    return cutPage(rows, limit, ({ id }) => id);
  },
});
