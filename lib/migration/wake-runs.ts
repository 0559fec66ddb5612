import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
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
 * organizations with such runs.
 */
export async function wakeDueRuns(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<Pick<Woken, "organization_id">>(DUE_RUNS));
  for (const { organization_id } of rows) await inOrganization(organization_id, () => wakeDue(organization_id));
  return rows.length;
}

const IS_DUE = "m.status = 'running' AND m.wakes_at <= now()";

export const DUE_RUNS = `SELECT DISTINCT m.organization_id FROM migrations m WHERE ${IS_DUE}`;

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
