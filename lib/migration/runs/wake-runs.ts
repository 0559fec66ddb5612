import { pool, transaction } from "@/lib/database/db";
import { forEachInItsOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { enqueueResumed } from "@/lib/migration/enqueue-jobs";

interface Woken {
  organization_id: string;
  id: string;
  run_number: number;
  resumed_at: Date;
}

const WOKEN = "RETURNING m.organization_id, m.id, m.run_number, m.resumed_at";

/**
 * Enqueues the runs that wait for API requests and whose time to look again has come. Returns the number of
 * organizations with such runs; those of one that fail keep none of the others waiting.
 */
export async function wakeDueRuns(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<{ organizationId: string }>(DUE_RUNS));
  await forEachInItsOrganization(rows, ({ organizationId }) => wakeDue(organizationId));
  return rows.length;
}

const IS_DUE = "m.status = 'running' AND m.wakes_at <= now()";

export const DUE_RUNS = `SELECT DISTINCT m.organization_id AS "organizationId" FROM migrations m WHERE ${IS_DUE}`;

async function wakeDue(organizationId: string): Promise<void> {
  await transaction(async (client) => {
    const { rows } = await client.query<Woken>(
      `UPDATE migrations m SET resumed_at = now(), wakes_at = NULL
       WHERE m.organization_id = $1 AND ${IS_DUE} ${WOKEN}`,
      [organizationId],
    );
    const runs = rows.map(({ id: migrationId, run_number: runNumber, resumed_at: resumedAt }) => {
      return { organizationId, migrationId, runNumber, resumedAt };
    });
    await enqueueResumed(client, runs);
  });
}
