import { pool } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/status";

/**
 * Whether other migrations of the organization are running, except those that wait for API requests: one of them works
 * at a time, so they may wait for their turn.
 */
export async function doOthersWait({ organizationId, migrationId }: MigrationKey): Promise<boolean> {
  const { rowCount } = await pool().query(
    `SELECT FROM migrations
     WHERE organization_id = $1 AND id <> $2 AND status = 'running' AND wakes_at IS NULL LIMIT 1`,
    [organizationId, migrationId],
  );
  return rowCount === 1;
}
