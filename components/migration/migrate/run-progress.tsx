import { Alert, Group, Paper, Stack, Text, Title } from "@mantine/core";

import { RunControls } from "@/components/migration/control/run-controls";
import { HistoryTimeline } from "@/components/migration/history/history-timeline";
import { ObjectProgressRow } from "@/components/migration/migrate/object-progress-row";
import { totalProgress } from "@/components/migration/migrate/progress";
import classes from "@/components/migration/migrate/run-progress.module.css";
import { useRate } from "@/components/migration/migrate/use-rate";
import { UndoProgress } from "@/components/migration/undo/undo-progress";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatDuration, formatMoment, formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";

const TITLES: Record<Migration["run_kind"], string> = {
  full: "Records are being imported",
  delta: "Changes in Salesforce are being brought over",
  retry: "Records that failed are being read again",
};

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
      {reason} Since {formatMoment(since)}. After a quarter of an hour the migration stops, and can be run again;
      nothing is imported twice.
    </Alert>
  ) : (
    <Alert color="amber" title="Waiting for API requests">
      {reason} The migration looks again at {formatMoment(next)} and then goes on by itself.
    </Alert>
  );
}

function ImportProgress({ migration, at }: { migration: Migration; at: number }) {
  const isPaused = migration.status === "paused";
  const { done, total, percent } = totalProgress(migration);
  const rate = useRate(done, at);
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Announcement>{announcementOf(migration, percent)}</Announcement>
      <Group justify="space-between" align="flex-end" gap="md">
        <div>
          <Title order={2}>{isPaused ? "The import is paused" : TITLES[migration.run_kind]}</Title>
          <Text c="dimmed" size="sm" mt={4}>
            {isPaused
              ? "Nothing is read or written until you resume it."
              : "You can close this page; the migration goes on, and you find it here again."}
          </Text>
        </div>
        <Text className={classes.percent} aria-hidden="true">
          {percent} %
        </Text>
      </Group>
      <Group gap="xl" mt="md" className={classes.facts}>
        <Fact label="Records" value={`${formatNumber(done)} of ${formatNumber(total)}`} />
        {!isPaused && <Pace rate={rate} left={total - done} />}
      </Group>
      <ol className={classes.objects}>
        {migration.objects.map((object) => (
          <ObjectProgressRow key={object.object} progress={object} at={at} isPaused={isPaused} />
        ))}
      </ol>
    </Paper>
  );
}

/** How fast it goes, and how long it still takes. */
function Pace({ rate, left }: { rate: number | null; left: number }) {
  return (
    <>
      <Fact label="Speed" value={rate === null ? "measuring" : `${formatNumber(Math.round(rate))} per second`} />
      <Fact label="Time left" value={rate === null ? "measuring" : formatDuration(left / rate)} />
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{value}</Text>
    </div>
  );
}

/** Changes with every ten percent and every object, not with every poll. */
function announcementOf(migration: Migration, percent: number): string {
  if (migration.status === "paused") return "The import is paused.";
  const running = migration.objects.find((object) => object.status === "running");
  const tenths = Math.floor(percent / 10) * 10;
  return `${tenths} percent done.${running ? ` ${objectName(running.object)} are being imported.` : ""}`;
}
