import { pool, retriedTransaction } from "@/lib/database/db";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import { giveToOtherEmails } from "@/lib/migration/pipeline/load/email-tasks";
import { storeOutsidePages } from "@/lib/migration/pipeline/store-outside-pages";
import { listSelectedObjects, type LockProgress } from "@/lib/migration/pipeline/progress";
import { IDS_PER_QUERY, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { readOutcomes } from "@/lib/migration/pipeline/read/read-outcomes";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";

/** The Tasks that are listed as copies of e-mails which deltas have deleted here, perhaps one that was stopped. */
const FIND = `
  SELECT DISTINCT task.ext_id FROM migrations m
  JOIN deleted_records d ON d.organization_id = m.organization_id AND d.migration_id = m.id
    AND d.resource IN ('case_comments', 'activities')
  CROSS JOIN LATERAL unnest(d.aliases) AS task (ext_id)
  JOIN migration_record_issues i ON i.organization_id = m.organization_id AND i.migration_id = m.id
    AND i.object = 'Task' AND i.ext_id = task.ext_id AND i.code = 'mirrored_by_email'
  WHERE m.organization_id = $1 AND m.id = $2 AND starts_with(task.ext_id, '${KEY_PREFIXES.Task}')
    AND task.ext_id > $3
    AND NOT EXISTS (SELECT FROM ext_aliases a WHERE a.organization_id = $1 AND a.ext_id = task.ext_id)
  ORDER BY task.ext_id LIMIT ${IDS_PER_QUERY}`;

/**
 * Imports the Tasks of e-mails that a delta has deleted here: they were left out as copies, and nobody changed them, so
 * no window has them. One that another e-mail here names stays left out as the copy of that one. Those that the source
 * no longer has are listed as gone. What is done is found no more. False: the deadline or the limit of API requests has
 * come, or the run was stopped.
 */
export async function importTasksOfDeletedEmails(
  session: RunSession,
  deadline: number,
  lock: LockProgress,
): Promise<boolean> {
  const { run } = session;
  if (!(await listSelectedObjects(run)).includes("Task")) return true;
  let after = "";
  for (;;) {
    const { rows } = await pool().query<{ ext_id: string }>(FIND, [run.organizationId, run.migrationId, after]);
    const ids = rows.map(({ ext_id }) => ext_id);
    const last = ids.at(-1);
    if (last === undefined) return true;
    after = last;
    const given = await giveAway(session, ids, lock);
    if (!given) return false;
    const plan = await planOf(session, "Task");
    const left = ids.filter((id) => !given.includes(id));
    const outcomes = await readOutcomes(session, plan, left);
    if (!(await storeOutsidePages(session, plan, outcomes, { lock, isInWindow: false }))) return false;
    if (performance.now() >= deadline || isLimitReached(session.api)) return false;
  }
}

/** The Tasks that other e-mails here name, as the source says. Null: the run was stopped. */
async function giveAway(session: RunSession, ids: readonly string[], lock: LockProgress): Promise<string[] | null> {
  const read = { from: "EmailMessage", key: "ActivityId", fields: [] };
  const emails = await readByIds(session.client, read, ids);
  const aliases = emails.map(({ Id, ActivityId }) => ({ ext_id: String(Id), alias: String(ActivityId) }));
  const plan = await planOf(session, "EmailMessage");
  return retriedTransaction(async (client) =>
    (await lock(client)) ? giveToOtherEmails(client, plan, session.run, aliases) : null,
  );
}
