import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import type { RunKey } from "@/lib/migration/pipeline/run-key";
import type { Issue } from "@/lib/migration/pipeline/transform";
import type { MigratedObjectName } from "@/lib/migration/schemas";

/** Stores why records of a page were not imported. */
export async function storeIssues(client: PoolClient, run: RunKey, object: MigratedObjectName, issues: readonly Issue[]): Promise<void> {
  if (issues.length === 0) return;
  await client.query(
    `INSERT INTO migration_record_issues (organization_id, migration_id, object, created_at, id, ext_id, outcome, code, field, value, reason)
     SELECT $1::uuid, $2::uuid, $3, now(), i.id, i.ext_id, i.outcome, i.code, i.field, i.value, i.reason
     FROM json_to_recordset($4::json) AS i(id uuid, ext_id text, outcome migration_outcome, code text, field text, value text, reason text)`,
    [run.organizationId, run.migrationId, object, JSON.stringify(issues.map((issue) => ({ ...issue, id: newId() })))],
  );
}
