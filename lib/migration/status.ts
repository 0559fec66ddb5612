import type { Pool, PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { changeAndRecord, CHANGED, type NewEntry } from "@/lib/migration/history/record-history";
import type { HistoryEvent } from "@/lib/migration/history/history-schema";
import { migrationNotFound } from "@/lib/migration/migration-key";
import type { MigrationKey, MigrationStatus, Failure } from "@/lib/migration/migration-schema";

/** Columns that can change together with the status. Absent ones stay unchanged. */
export interface StatusChanges {
  report?: unknown;
  configuration?: unknown;
  failure?: Failure | null;
  started_at?: Date | null;
  resumed_at?: Date | null;
  finished_at?: Date | null;
  undo_started_at?: Date;
  undo_finished_at?: Date | null;
  worker_id?: null;
}

/**
 * A migration begins in `analyzing`. Only `finishRun` sets `completed` and `completed_with_errors`, since it checks the
 * sums.
 */
type Destination = Exclude<MigrationStatus, "analyzing" | "completed" | "completed_with_errors">;

/**
 * The statuses from which each status can be reached. A run that has ended can be run again as a new run
 * (docs/decisions/0012-moves-of-a-migration.md). A paused one cannot: a start deletes its checkpoints, and it must go
 * on from them.
 */
const REACHED_FROM: Record<Destination, readonly MigrationStatus[]> = {
  ready: ["analyzing"],
  analysis_failed: ["analyzing"],
  running: ["ready", "completed", "completed_with_errors", "failed", "cancelled"],
  paused: ["running"],
  failed: ["running", "undoing"],
  cancelled: ["running", "paused"],
  // Also what an earlier undo kept can be undone, once nothing keeps it any more.
  undoing: ["paused", "completed", "completed_with_errors", "failed", "cancelled", "undone"],
  undone: ["undoing"],
};

/** What the history says of a move; of the start of a run, `startAndEnqueue` does. */
const EVENTS: Record<Exclude<Destination, "running" | "failed">, HistoryEvent> = {
  ready: "analyzed",
  analysis_failed: "analysis_failed",
  paused: "paused",
  cancelled: "cancelled",
  undoing: "undo_started",
  undone: "undone",
};

/** The statuses after a run, whatever its result: a delta or a retry goes on from them, and a proof can be made. */
export const ENDED: readonly MigrationStatus[] = ["completed", "completed_with_errors", "failed", "cancelled"];

const PHRASES: Record<MigrationStatus, string> = {
  analyzing: "is still being analyzed",
  ready: "is ready to run",
  analysis_failed: "could not be analyzed",
  running: "is running",
  paused: "is paused",
  completed: "is completed",
  completed_with_errors: "is completed, with errors",
  failed: "has failed",
  cancelled: "is cancelled",
  undoing: "is being undone",
  undone: "has been undone",
};

/** The error for a move that the present status does not allow. */
function illegalStatus(status: MigrationStatus, to: Destination, from: readonly MigrationStatus[]): AppError {
  const allowed = from.map((from) => `\`${from}\``).join(", ");
  return new AppError(
    "illegal_state",
    `The migration ${PHRASES[status]} (status \`${status}\`). It can become \`${to}\` only from ${allowed}.`,
  );
}

/** The status of a migration. Throws `not_found`. */
export async function statusOf(db: Pool | PoolClient, key: MigrationKey): Promise<MigrationStatus> {
  const found = await db.query<{ status: MigrationStatus }>(
    `SELECT status FROM migrations WHERE organization_id = $1 AND id = $2`,
    [key.organizationId, key.migrationId],
  );
  const status = found.rows[0]?.status;
  if (!status) throw migrationNotFound();
  return status;
}

interface Guards {
  runNumber?: number;
  from?: readonly MigrationStatus[];
  by?: string;
}

function entryOf(
  to: Destination,
  { failure }: StatusChanges,
  from: readonly MigrationStatus[],
  by: string | undefined,
): NewEntry | null {
  const details = failure ? { reason: failure.detail, remedy: failure.remedy } : {};
  if (to === "running") return from.includes("paused") ? { event: "resumed", by } : null;
  if (to === "failed") return { event: from.includes("running") ? "failed" : "undo_failed", by, details };
  return { event: EVENTS[to], by, details };
}

/**
 * Moves a migration to another status by one guarded UPDATE, so that one of two concurrent moves is refused, and
 * stores the move in its history. A run that waited for API requests no longer does. With `runNumber`, only that run is
 * moved; with `from`, only from these statuses; `by` is the user who asked for it. Throws `illegal_state` with the
 * present status, or `not_found`.
 */
export async function moveStatus(
  db: Pool | PoolClient,
  key: MigrationKey,
  to: Destination,
  changes: StatusChanges,
  { runNumber, from = REACHED_FROM[to], by }: Guards = {},
): Promise<void> {
  const values: unknown[] = [key.organizationId, key.migrationId, to, from, runNumber ?? null];
  const sets = Object.entries(changes).map(([column, value]) => {
    values.push(
      value !== null && typeof value === "object" && !(value instanceof Date) ? JSON.stringify(value) : value,
    );
    return `, ${column} = $${values.length}`;
  });
  const moved = await changeAndRecord(
    db,
    `UPDATE migrations AS m SET status = $3, wakes_at = NULL, updated_at = now()${sets.join("")}
     WHERE organization_id = $1 AND id = $2 AND status = ANY($4::migration_status[])
       AND ($5::int IS NULL OR run_number = $5)
     RETURNING ${CHANGED}`,
    values,
    entryOf(to, changes, from, by),
  );
  if (moved.rowCount === 0) throw illegalStatus(await statusOf(db, key), to, from);
}

/** Waits for a move that ends work. Does nothing if the work has ended already, so that the move is refused. */
export async function unlessEnded(move: Promise<void>): Promise<void> {
  try {
    await move;
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
  }
}
