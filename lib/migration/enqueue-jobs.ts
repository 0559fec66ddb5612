import { pool } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { requestJob } from "@/lib/jobs";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import type { MigrationKey } from "@/lib/migration/status";
import type { UndoKey } from "@/lib/migration/undo/undo-steps";

/** Enqueues the analysis of a migration. Its id depends on the migration alone, so a repetition has no effect. */
export function enqueueAnalysis({ organizationId, migrationId }: MigrationKey): Promise<void> {
  const event = { organization_id: organizationId, migration_id: migrationId };
  return requestJob("migration/analyze.requested", event, `analyze-${migrationId}`);
}

/**
 * Enqueues a run of a migration, or its continuation after a pause. The id depends on the run and the time of its
 * continuation alone, so a repetition has no effect.
 */
export function enqueueRun({ organizationId, migrationId, runNumber }: RunKey, resumedAt?: Date | null): Promise<void> {
  const event = { organization_id: organizationId, migration_id: migrationId, run_number: runNumber };
  const id = `run-${migrationId}-${runNumber}`;
  return requestJob("migration/run.requested", event, resumedAt ? `${id}-${resumedAt.getTime()}` : id);
}

/** Enqueues a preview of duplicates. Its id depends on its first search alone, so a repetition has no effect. */
export function enqueueSearch({ organizationId, migrationId }: MigrationKey, searchId: string): Promise<void> {
  const event = { organization_id: organizationId, migration_id: migrationId };
  return requestJob("migration/search.requested", event, `search-${searchId}`);
}

/** Enqueues an undo of a migration. Its id depends on the undo alone, so a repetition has no effect. */
export function enqueueUndo({ organizationId, migrationId, undoNumber }: UndoKey): Promise<void> {
  const event = { organization_id: organizationId, migration_id: migrationId, undo_number: undoNumber };
  return requestJob("migration/undo.requested", event, `undo-${migrationId}-${undoNumber}`);
}

/** The jobs of younger migrations are just being enqueued. */
const MIN_AGE = "1 minute";

/** An Inngest server knows the ids of events for a day. Within that time it drops a repeated event. */
const MAX_AGE = "23 hours";

interface UnfinishedMigration {
  organization_id: string;
  id: string;
  status: "analyzing" | "running" | "undoing";
  run_number: number;
  undo_number: number;
  resumed_at: Date | null;
}

const FIND = `
  SELECT organization_id, id, status, run_number, undo_number, resumed_at FROM migrations
  WHERE status IN ('analyzing', 'running', 'undoing')
    AND CASE WHEN status = 'undoing' THEN undo_started_at ELSE coalesce(resumed_at, started_at, created_at) END
      BETWEEN now() - $2::interval AND now() - $1::interval`;

/**
 * Enqueues the jobs of all migrations that are being analyzed, run or undone once more. This starts the job if a
 * process died after it stored the status and before it enqueued the job. Otherwise it has no effect. Returns the
 * number of jobs.
 */
export async function reenqueueMigrations(): Promise<number> {
  const { rows } = await acrossOrganizations(() => pool().query<UnfinishedMigration>(FIND, [MIN_AGE, MAX_AGE]));
  for (const migration of rows) await reenqueue(migration);
  return rows.length;
}

function reenqueue(migration: UnfinishedMigration): Promise<void> {
  const { organization_id: organizationId, id, status, run_number: runNumber, resumed_at: resumedAt } = migration;
  const key = { organizationId, migrationId: id };
  if (status === "undoing") return enqueueUndo({ ...key, undoNumber: migration.undo_number });
  return status === "analyzing" ? enqueueAnalysis(key) : enqueueRun({ ...key, runNumber }, resumedAt);
}
