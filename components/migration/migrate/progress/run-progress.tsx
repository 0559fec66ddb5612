import { Stack } from "@mantine/core";

import { RunControls } from "@/components/migration/control/run-controls";
import { HistoryTimeline } from "@/components/migration/history/history-timeline";
import { ImportProgress } from "@/components/migration/migrate/progress/import-progress";
import { UndoProgress } from "@/components/migration/undo/undo-progress";
import { WaitingAlert } from "@/components/migration/waiting-alert";
import type { Migration } from "@/lib/migration/migration-schema";

interface RunProgressProps {
  migration: Migration;
  /** The time of the last poll. */
  at: number;
}

/** The progress of a run or of an undo, and what happened so far. */
export function RunProgress({ migration, at }: RunProgressProps) {
  return (
    <Stack gap="lg">
      <RunControls migration={migration} />
      {migration.waiting && <WaitingAlert waiting={migration.waiting} />}
      {migration.status === "undoing" ? (
        <UndoProgress migration={migration} />
      ) : (
        <ImportProgress migration={migration} at={at} />
      )}
      <HistoryTimeline migration={migration} />
    </Stack>
  );
}
