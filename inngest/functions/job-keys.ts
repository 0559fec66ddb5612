import { inOrganization } from "@/lib/database/organization-scope";
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

interface Failed {
  /** Its data is the event of the job that failed, of which Inngest's types know only that it is one. */
  event: { data: { event: { data?: unknown } } };
  error: Error;
}

/** What to do when a job fails outside its own steps: `fail`, with the key that `read` finds in the job's event. */
export function onFailureOf<Key extends MigrationKey>(
  read: (data: never) => Key,
  fail: (key: Key, error: unknown) => Promise<void>,
) {
  return ({ event, error }: Failed): Promise<void> => {
    const key = read(event.data.event.data as never);
    return inOrganization(key.organizationId, () => fail(key, error));
  };
}
