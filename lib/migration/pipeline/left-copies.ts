import { pool } from "@/lib/database/db";
import { type Lock, storeBeside } from "@/lib/migration/pipeline/load/store-beside";
import { listSelectedObjects } from "@/lib/migration/pipeline/progress";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/** The Tasks that are listed as copies of e-mails which deltas have deleted here, perhaps one that was stopped. */
const LEFT = `
  SELECT DISTINCT task.ext_id FROM migrations m
  JOIN deleted_records d ON d.organization_id = m.organization_id AND d.migration_id = m.id
    AND d.resource IN ('case_comments', 'activities')
  CROSS JOIN LATERAL unnest(d.aliases) AS task (ext_id)
  JOIN migration_record_issues i ON i.organization_id = m.organization_id AND i.migration_id = m.id
    AND i.object = 'Task' AND i.ext_id = task.ext_id AND i.code = 'mirrored_by_email'
  WHERE m.organization_id = $1 AND m.id = $2 AND starts_with(task.ext_id, '00T')
    AND NOT EXISTS (SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = task.ext_id)`;

/**
 * Imports the Tasks of e-mails that a delta has deleted here, as far as the source still has them: they were left out
 * as copies, and nobody changed them, so no window has them.
 */
export async function storeLeftCopies(session: RunSession, lock: Lock): Promise<void> {
  const { run } = session;
  if (!(await listSelectedObjects(run)).includes("Task")) return;
  const { rows } = await pool().query<{ ext_id: string }>(LEFT, [run.organizationId, run.migrationId]);
  if (rows.length === 0) return;
  const plan = await planOf(session, "Task");
  const ids = rows.map(({ ext_id }) => ext_id);
  for await (const records of readAgain({ ...session, plan }, ids)) {
    await addRelated(session, "Task", records);
    if (!(await storeBeside(session, plan, records, lock))) return;
  }
}
