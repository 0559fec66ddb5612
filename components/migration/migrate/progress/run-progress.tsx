import { Stack } from "@mantine/core";

import { RunControls } from "@/components/migration/control/run-controls";
import { HistoryTimeline } from "@/components/migration/history/history-timeline";
import { ImportProgress } from "@/components/migration/migrate/progress/import-progress";
import { UndoProgress } from "@/components/migration/undo/undo-progress";
import { useMigration } from "@/components/migration/use-migration";
import { WaitingAlert } from "@/components/migration/waiting-alert";
import type { Migration } from "@/lib/migration/migration-schema";

/** The progress of a run or of an undo, and what happened so far. */
export function RunProgress({ migration }: { migration: Migration }) {
  // Only here: the time of the last poll is another one after each, so whoever reads it is rendered anew with each.
  const { dataUpdatedAt: at } = useMigration(migration.migration_id);
  return (
    <Stack gap="lg">
      <RunControls migration={migration} />
      {migration.waiting && <WaitingAlert waiting={migration.waiting} isRenewable={migration.renewable} />}
      {migration.status === "undoing" ? (
        <UndoProgress migration={migration} />
      ) : (
        <ImportProgress migration={migration} at={at} />
      )}
      <HistoryTimeline migration={migration} />
    </Stack>
  );
}
