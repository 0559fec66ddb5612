import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { requestJobs } from "@/lib/jobs";

/** The job's event has the hour in its id: a failed job is requested again, but at most once in an hour. */
export function enqueueErasure(client: PoolClient, organizationId: string, now = new Date()): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  const data = { organization_id: organizationId };
  return requestJobs(client, [{ name: "organization/erase.requested", data, id: `erase-${organizationId}-${hour}` }]);
}

/**
 * Requests the erasure of every deleted organization that is still there: its job has failed, or was lost. Returns how
 * many.
 */
export async function reenqueueErasures(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<{ id: string }>("SELECT id FROM organizations WHERE deleted_at < now() - interval '1 minute'"),
  );
  for (const { id } of rows) await transaction((client) => enqueueErasure(client, id));
  return rows.length;
}
