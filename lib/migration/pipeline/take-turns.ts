import { pool, transaction } from "@/lib/database/db";
import { enqueueRun, enqueueUndo } from "@/lib/migration/enqueue-jobs";
import type { RunKey, MigrationKey, UndoKey } from "@/lib/migration/migration-schema";

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

/**
 * SQL: $3 is the number of the run or undo, $4 the `resumed_at` of the job that hands it on, if it has one. If two jobs
 * of a run have a `resumed_at`, only the later one hands on; a repeated step hands on once. A job without one always
 * hands on: the first one of a run, and those of older releases.
 */
const handOnText = (status: "running" | "undoing", number: "run_number" | "undo_number") => `
  UPDATE migrations SET resumed_at = now() WHERE organization_id = $1 AND id = $2 AND status = '${status}'
    AND ${number} = $3 AND ($4::timestamptz IS NULL OR resumed_at = $4) RETURNING resumed_at`;

const HAND_ON_RUN = handOnText("running", "run_number");

const HAND_ON_UNDO = handOnText("undoing", "undo_number");

/** Lets a run go on in a new job. `resumedAt` is that of its present job. */
export function handOnRun(run: RunKey, resumedAt: string | null): Promise<void> {
  const values = [run.organizationId, run.migrationId, run.runNumber, resumedAt];
  return transaction(async (client) => {
    const { rows } = await client.query<{ resumed_at: Date }>(HAND_ON_RUN, values);
    if (rows[0]) await enqueueRun(client, run, rows[0].resumed_at);
  });
}

/** As {@link handOnRun}, for an undo. */
export function handOnUndo(undo: UndoKey, resumedAt: string | null): Promise<void> {
  const values = [undo.organizationId, undo.migrationId, undo.undoNumber, resumedAt];
  return transaction(async (client) => {
    const { rows } = await client.query<{ resumed_at: Date }>(HAND_ON_UNDO, values);
    if (rows[0]) await enqueueUndo(client, undo, rows[0].resumed_at);
  });
}
