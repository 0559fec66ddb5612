import { Group, Paper, Text, Title } from "@mantine/core";

import { ChangesRow } from "@/components/migration/migrate/progress/changes-row";
import { filesDone } from "@/components/migration/migrate/file-words";
import { FilesRow } from "@/components/migration/migrate/progress/files-row";
import { ObjectProgressRow } from "@/components/migration/migrate/progress/object-progress-row";
import {
  readInRun,
  speedInWords,
  toRead,
  totalInWords,
  totalProgress,
} from "@/components/migration/migrate/progress/progress";
import classes from "@/components/migration/migrate/progress/run-progress.module.css";
import { useRate } from "@/components/migration/migrate/progress/use-rate";
import { useReport } from "@/components/migration/use-migration";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatDuration, formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

const TITLES: Record<Migration["run_kind"], string> = {
  full: "Records are being imported",
  delta: "Changes in Salesforce are being imported",
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
      <Title order={2}>{titleOf(migration)}</Title>
      <Text c="dimmed" size="sm" mt={4}>
        {isPaused
          ? "Nothing is read or written until you resume it."
          : "You can close this page; the migration goes on, and you find it here again."}
      </Text>
      {kind === "full" ? (
        <FullRun migration={migration} at={at} isPaused={isPaused} />
      ) : (
        <ShortRun migration={migration} kind={kind} at={at} isPaused={isPaused} />
      )}
    </Paper>
  );
}

function titleOf({ run_kind: kind, status, files }: Migration): string {
  if (status === "paused") return "The import is paused";
  return files ? "Files are being copied" : TITLES[kind];
}

/** A run that reads everything: its records are counted, so it can tell how much is left. */
function FullRun({ migration, at, isPaused }: ImportProgressProps & { isPaused: boolean }) {
  const { done, total, percent } = totalProgress(migration);
  const { data: report } = useReport(migration.migration_id);
  const analyzed = (name: string) => report?.inventory.find(({ object }) => object === name)?.count ?? null;
  const rate = useRate(done, at);
  return (
    <>
      <Announcement>{announcementOf(migration, percent)}</Announcement>
      <Group justify="space-between" align="flex-end" gap="md" mt="md">
        <Group gap="xl" className={classes.facts}>
          <Fact label="Records" value={`${formatNumber(done)} ${totalInWords(toRead(migration.objects, analyzed))}`} />
          {!isPaused && !migration.files && <Pace rate={rate} left={total - done} />}
        </Group>
        <Text className={classes.percent} aria-hidden="true">
          {percent} %
        </Text>
      </Group>
      <ol className={classes.objects}>
        {migration.objects.map((object) => (
          <ObjectProgressRow key={object.object} progress={object} analyzed={analyzed} at={at} isPaused={isPaused} />
        ))}
        {migration.files && (
          <FilesRow migrationId={migration.migration_id} files={migration.files} at={at} isPaused={isPaused} />
        )}
      </ol>
    </>
  );
}

interface ShortRunProps extends ImportProgressProps {
  kind: "delta" | "retry";
  isPaused: boolean;
}

/** A delta or a retry: it reads less, and what it has to read is known once it is counted. */
function ShortRun({ migration: { migration_id: id, objects, files }, kind, at, isPaused }: ShortRunProps) {
  const done = objects.filter(({ status }) => status === "done").length;
  const read = readInRun(objects);
  const rate = useRate(read?.done ?? 0, at);
  return (
    <>
      <Announcement>
        {done} of {objects.length} objects done.
      </Announcement>
      <Group mt="md" className={classes.facts}>
        <Fact label="Objects" value={`${done} of ${objects.length}`} />
        {read && <Fact label="Records" value={`${formatNumber(read.done)} of ${formatNumber(read.total)}`} />}
        {read && read.done < read.total && !isPaused && <Pace rate={rate} left={read.total - read.done} />}
      </Group>
      <ol className={classes.objects}>
        {objects.map((object) => (
          <ChangesRow key={object.object} progress={object} kind={kind} at={at} isPaused={isPaused} />
        ))}
        {files && <FilesRow migrationId={id} files={files} at={at} isPaused={isPaused} />}
      </ol>
    </>
  );
}

/** How fast it goes, and how long it still takes. */
function Pace({ rate, left }: { rate: number | null; left: number }) {
  return (
    <>
      <Fact label="Speed" value={rate === null ? "measuring" : speedInWords(rate)} />
      <Fact label="Time left" value={leftInWords(rate, left)} />
    </>
  );
}

function leftInWords(rate: number | null, left: number): string {
  if (rate === null) return "measuring";
  return left <= 0 ? "finishing" : formatDuration(left / rate);
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

/** Files between two announcements. */
const FILES_ANNOUNCED = 100;

/**
 * Changes with every ten percent, every object and every hundred files, not with every poll. That the import is paused
 * is announced by the badge of its status.
 */
function announcementOf({ status, files, objects }: Migration, percent: number): string {
  const isPaused = status === "paused";
  if (files) {
    const done = Math.floor(filesDone(files) / FILES_ANNOUNCED) * FILES_ANNOUNCED;
    const copying = isPaused ? "" : " Files are being copied.";
    return `All records are read.${copying}${done > 0 ? ` ${formatNumber(done)} files are done.` : ""}`;
  }
  const running = isPaused ? undefined : objects.find((object) => object.status === "running");
  const tenths = Math.floor(percent / 10) * 10;
  return `${tenths} percent done.${running ? ` ${objectName(running.object)} are being imported.` : ""}`;
}
