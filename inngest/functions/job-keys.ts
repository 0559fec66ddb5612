import type { JobEvents } from "@/lib/jobs";
import type { RunKey, MigrationKey, UndoKey } from "@/lib/migration/migration-schema";

// Events and what they carry are written as in the API; keys are those of lib/migration.

/** The migration that an event asks to work on. */
export function keyOf({
  organization_id: organizationId,
  migration_id: migrationId,
}: JobEvents["migration/analyze.requested"]): MigrationKey {
  return { organizationId, migrationId };
}

export function runOf(data: JobEvents["migration/run.requested"]): RunKey {
  return { ...keyOf(data), runNumber: data.run_number };
}

export function undoOf(data: JobEvents["migration/undo.requested"]): UndoKey {
  return { ...keyOf(data), undoNumber: data.undo_number };
}
