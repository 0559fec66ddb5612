import type { PoolClient } from "pg";

import type { MigrationKey } from "@/lib/migration/status";
import type { MigratedObjectName } from "@/lib/migration/schemas";

/** One run of one migration. */
export interface RunKey extends MigrationKey {
  runNumber: number;
}

/**
 * Locks an object's line of the migration record for the transaction, if this run is still going on and nobody else has got further than
 * `checkpoint`. False: the migration was stopped, or another worker went on in our place; nothing may be written.
 */
export async function holdsLine(client: PoolClient, run: RunKey, object: MigratedObjectName, checkpoint: string | null): Promise<boolean> {
  const held = await client.query(
    `SELECT 1 FROM migrations m JOIN migration_objects o ON o.organization_id = m.organization_id AND o.migration_id = m.id
     WHERE m.organization_id = $1 AND m.id = $2 AND m.status = 'running' AND m.run_number = $3
       AND o.object = $4 AND o.status = 'running' AND o.checkpoint IS NOT DISTINCT FROM $5
     FOR UPDATE OF o FOR SHARE OF m`,
    [run.organizationId, run.migrationId, run.runNumber, object, checkpoint],
  );
  return held.rowCount === 1;
}
