import { Group, Paper, Text, Title } from "@mantine/core";

import { ChangesRow } from "@/components/migration/migrate/changes-row";
import { ObjectProgressRow } from "@/components/migration/migrate/object-progress-row";
import { totalProgress } from "@/components/migration/migrate/progress";
import classes from "@/components/migration/migrate/run-progress.module.css";
import { useRate } from "@/components/migration/migrate/use-rate";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatDuration, formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";

const TITLES: Record<Migration["run_kind"], string> = {
  full: "Records are being imported",
  delta: "Changes in Salesforce are being brought over",
  retry: "Records that failed are being read again",
};

interface ImportProgressProps {
  migration: Migration;
  /** The time of the last poll. */
  at: number;
}

/** How far a run has come, object by object. */
export function ImportProgress({ migration, at }: ImportProgressProps) {
  const { run_kind: kind, status } = migration;
  const isPaused = status === "paused";
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Title order={2}>{isPaused ? "The import is paused" : TITLES[kind]}</Title>
      <Text c="dimmed" size="sm" mt={4}>
        {isPaused
          ? "Nothing is read or written until you resume it."
          : "You can close this page; the migration goes on, and you find it here again."}
      </Text>
      {kind === "full" ? (
        <FullRun migration={migration} at={at} isPaused={isPaused} />
      ) : (
        <ShortRun objects={migration.objects} kind={kind} />
      )}
    </Paper>
  );
}

/** A run that reads everything: its records are counted, so it can tell how much is left. */
function FullRun({ migration, at, isPaused }: ImportProgressProps & { isPaused: boolean }) {
  const { done, total, percent } = totalProgress(migration);
  const rate = useRate(done, at);
  return (
    <>
      <Announcement>{announcementOf(migration, percent)}</Announcement>
      <Group justify="space-between" align="flex-end" gap="md" mt="md">
        <Group gap="xl" className={classes.facts}>
          <Fact label="Records" value={`${formatNumber(done)} of ${formatNumber(total)}`} />
          {!isPaused && <Pace rate={rate} left={total - done} />}
        </Group>
        <Text className={classes.percent} aria-hidden="true">
          {percent} %
        </Text>
      </Group>
      <ol className={classes.objects}>
        {migration.objects.map((object) => (
          <ObjectProgressRow key={object.object} progress={object} at={at} isPaused={isPaused} />
        ))}
      </ol>
    </>
  );
}

interface ShortRunProps {
  objects: Migration["objects"];
  kind: "delta" | "retry";
}

function ShortRun({ objects, kind }: ShortRunProps) {
  const done = objects.filter(({ status }) => status === "done").length;
  return (
    <>
      <Announcement>
        {done} of {objects.length} objects done.
      </Announcement>
      <Group mt="md" className={classes.facts}>
        <Fact label="Objects" value={`${done} of ${objects.length}`} />
      </Group>
      <ol className={classes.objects}>
        {objects.map((object) => (
          <ChangesRow key={object.object} progress={object} kind={kind} />
        ))}
      </ol>
    </>
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
