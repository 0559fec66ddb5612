import type { Pool, PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import type { MIGRATION_STATES } from "@/lib/migration/schemas";

export type MigrationState = (typeof MIGRATION_STATES)[number];

/** Which migration of which organization. */
export interface MigrationKey {
  organizationId: string;
  migrationId: string;
}

export interface Failure {
  code: string;
  detail: string;
  remedy: string;
}

/** Columns that may change together with the state. Absent ones stay as they are. */
export interface StateChanges {
  report?: unknown;
  configuration?: unknown;
  failure?: Failure | null;
  started_at?: Date | null;
  finished_at?: Date | null;
}

/** A migration begins in `analyzing`; `completed…` is reached by `finishRun` alone, since that takes sums that close. */
type Destination = Exclude<MigrationState, "analyzing" | "completed" | "completed_with_errors">;

/**
 * From where each state can be reached. A run that ended is run again as a new run (docs/decisions/0012-moves-of-a-migration.md). A paused one
 * cannot be: starting forgets its checkpoints, and it is to go on from them.
 */
const REACHED_FROM: Record<Destination, readonly MigrationState[]> = {
  ready: ["analyzing"],
  analysis_failed: ["analyzing"],
  running: ["ready", "completed", "completed_with_errors", "failed", "cancelled"],
  paused: ["running"],
  failed: ["running"],
  cancelled: ["running"],
  undoing: ["completed", "completed_with_errors"],
  undone: ["undoing"],
};

const PHRASES: Record<MigrationState, string> = {
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

/** The refusal of a move that the present state does not allow. */
function illegalState(state: MigrationState, wanted: Destination): AppError {
  const allowed = REACHED_FROM[wanted].map((from) => `\`${from}\``).join(", ");
  return new AppError("illegal_state", `The migration ${PHRASES[state]} (state \`${state}\`). It can become \`${wanted}\` only from ${allowed}.`);
}

/** The state of a migration. Throws `not_found`. */
export async function stateOf(db: Pool | PoolClient, key: MigrationKey): Promise<MigrationState> {
  const found = await db.query<{ state: MigrationState }>(`SELECT state FROM migrations WHERE organization_id = $1 AND id = $2`, [
    key.organizationId,
    key.migrationId,
  ]);
  const state = found.rows[0]?.state;
  if (!state) throw new AppError("not_found", "There is no migration with this id.");
  return state;
}

/**
 * Moves a migration to another state in one guarded UPDATE, so that of two moves at the same time one is refused.
 * `runNumber` narrows the move to that run.
 * Throws `illegal_state` naming the present state, or `not_found`.
 */
export async function moveState(
  db: Pool | PoolClient,
  key: MigrationKey,
  to: Destination,
  changes: StateChanges = {},
  runNumber?: number,
): Promise<void> {
  const values: unknown[] = [key.organizationId, key.migrationId, to, REACHED_FROM[to], runNumber ?? null];
  const sets = Object.entries(changes).map(([column, value]) => {
    values.push(value !== null && typeof value === "object" && !(value instanceof Date) ? JSON.stringify(value) : value);
    return `, ${column} = $${values.length}`;
  });
  const moved = await db.query(
    `UPDATE migrations SET state = $3, updated_at = now()${sets.join("")}
     WHERE organization_id = $1 AND id = $2 AND state = ANY($4::migration_state[]) AND ($5::int IS NULL OR run_number = $5)`,
    values,
  );
  if (moved.rowCount === 0) throw illegalState(await stateOf(db, key), to);
}
