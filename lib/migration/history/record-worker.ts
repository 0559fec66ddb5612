import { newId } from "@/lib/ids";
import { transaction } from "@/lib/database/db";
import { recordHistory } from "@/lib/migration/history/record-history";
import type { RunKey } from "@/lib/migration/migration-schema";

/** This process, among those that work on runs. */
const WORKER = newId();

/**
 * A worker that died is followed by a process for the one job that it held, and then by the next worker. That is one
 * replacement to people.
 */
const SAME_REPLACEMENT = "2 minutes";

/** Stores that this process works on a run, and in the history that it has taken the run over from another one. */
export function recordWorker(run: RunKey): Promise<void> {
  return transaction(async (client) => {
    const owned = [run.organizationId, run.migrationId];
    const found = await client.query<{ worker_id: string | null }>(
      `SELECT worker_id FROM migrations WHERE organization_id = $1 AND id = $2 AND run_number = $3
         AND status = 'running' FOR UPDATE`,
      [...owned, run.runNumber],
    );
    const [before] = found.rows;
    if (!before || before.worker_id === WORKER) return;
    await client.query("UPDATE migrations SET worker_id = $3 WHERE organization_id = $1 AND id = $2", [
      ...owned,
      WORKER,
    ]);
    if (before.worker_id === null) return;
    const { rowCount } = await client.query(
      `SELECT FROM migration_history WHERE organization_id = $1 AND migration_id = $2 AND event = 'worker_replaced'
         AND run_number = $3 AND created_at > now() - interval '${SAME_REPLACEMENT}' LIMIT 1`,
      [...owned, run.runNumber],
    );
    if (rowCount === 0) await recordHistory(client, run, { event: "worker_replaced" });
  });
}
