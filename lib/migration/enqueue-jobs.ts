import { pool } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { requestJob } from "@/lib/jobs";

/** Younger ones are just being asked for. */
const OLDER_THAN = "1 minute";

/**
 * An Inngest server knows the ids of events for a day; within it, asking again for a job that there is starts nothing.
 */
const YOUNGER_THAN = "23 hours";

interface UnfinishedMigration {
  organization_id: string;
  id: string;
  status: "analyzing" | "running";
  run_number: number;
}

const FIND = `
  SELECT organization_id, id, status, run_number FROM migrations
  WHERE status IN ('analyzing', 'running') AND coalesce(started_at, created_at) BETWEEN now() - $2::interval AND now() - $1::interval`;

/**
 * Asks again for the jobs of migrations that are being analyzed or run. Where a process died between storing the status
 * and asking, this starts the job; where there is one already, the event has the id of the first and is dropped. Gives
 * how many were asked for.
 */
export async function reenqueueMigrations(): Promise<number> {
  const found = await acrossOrganizations(() => pool().query<UnfinishedMigration>(FIND, [OLDER_THAN, YOUNGER_THAN]));
  for (const migration of found.rows) await reenqueue(migration);
  return found.rows.length;
}

/** The ids are those of the first request, see analyze-migration.ts and start-migration.ts. */
function reenqueue({ organization_id, id, status, run_number }: UnfinishedMigration): Promise<void> {
  if (status === "analyzing")
    return requestJob("migration/analyze.requested", { organization_id, migration_id: id }, `analyze-${id}`);
  return requestJob(
    "migration/run.requested",
    { organization_id, migration_id: id, run_number },
    `run-${id}-${run_number}`,
  );
}
