import { Alert, Stack } from "@mantine/core";

import { RunControls } from "@/components/migration/control/run-controls";
import { HistoryTimeline } from "@/components/migration/history/history-timeline";
import { ImportProgress } from "@/components/migration/migrate/import-progress";
import { UndoProgress } from "@/components/migration/undo/undo-progress";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

interface RunProgressProps {
  migration: Migration;
  /** The time of the last poll. */
  at: number;
  canSignIn: boolean;
}

/** The progress of a run or of an undo, and what happened so far. */
export function RunProgress({ migration, at, canSignIn }: RunProgressProps) {
  return (
    <Stack gap="lg">
      <RunControls migration={migration} canSignIn={canSignIn} />
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

function WaitingAlert({ waiting }: { waiting: NonNullable<Migration["waiting"]> }) {
  const { since, reason, next_attempt_at: next } = waiting;
  return next === null ? (
    <Alert color="amber" title="Salesforce does not answer; trying again">
      {reason} Since <Moment iso={since} />. After a quarter of an hour the migration stops, and can be run again;
      nothing is imported twice.
    </Alert>
  ) : (
    <Alert color="amber" title="Waiting for API requests">
      {reason} The migration looks again at <Moment iso={next} /> and then goes on by itself.
    </Alert>
  );
}
