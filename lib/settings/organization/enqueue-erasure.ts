import { pool } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { requestJob } from "@/lib/jobs";

/** The job's event has the hour in its id: a failed job is requested again, but at most once in an hour. */
export function enqueueErasure(organizationId: string, now = new Date()): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  return requestJob(
    "organization/erase.requested",
    { organization_id: organizationId },
    `erase-${organizationId}-${hour}`,
  );
}

/**
 * Requests the erasure of every deleted organization that is still there: its job was never enqueued, or has failed.
 * Returns how many.
 */
export async function reenqueueErasures(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<{ id: string }>("SELECT id FROM organizations WHERE deleted_at < now() - interval '1 minute'"),
  );
  for (const { id } of rows) await enqueueErasure(id);
  return rows.length;
}
