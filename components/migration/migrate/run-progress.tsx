import { Alert, Group, Paper, Stack, Text, Title } from "@mantine/core";

import { Announcement } from "@/components/ui/feedback/announcement";
import { formatDuration, formatMoment, formatNumber } from "@/components/ui/text/format";
import { ObjectProgressRow } from "@/components/migration/migrate/object-progress-row";
import { totalProgress } from "@/components/migration/migrate/progress";
import classes from "@/components/migration/migrate/run-progress.module.css";
import { RunControls } from "@/components/migration/migrate/run-controls";
import { useRate } from "@/components/migration/migrate/use-rate";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";

const TITLES: Partial<Record<Migration["status"], string>> = {
  undoing: "Taking the records out again",
  paused: "The import is paused",
};

/** The progress of a run. `at` is the time of the last poll. */
export function RunProgress({ migration, at }: { migration: Migration; at: number }) {
  const { done, total, percent } = totalProgress(migration);
  const rate = useRate(done, at);
  return (
    <Stack gap="lg">
      <Announcement>{announcementOf(migration, percent)}</Announcement>
      <RunControls migration={migration} />
      {migration.waiting && (
        <Alert color="amber" title="Salesforce does not answer; trying again">
          {migration.waiting.reason} Since {formatMoment(migration.waiting.since)}. After a quarter of an hour the
          migration stops, and can be run again; nothing is imported twice.
        </Alert>
      )}
      <Paper withBorder p={{ base: "lg", sm: "xl" }}>
        <Group justify="space-between" align="flex-end" gap="md">
          <div>
            <Title order={2}>{TITLES[migration.status] ?? "Records are being imported"}</Title>
            <Text c="dimmed" size="sm" mt={4}>
              {migration.status === "paused"
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
          <Fact label="Speed" value={rate === null ? "measuring" : `${formatNumber(Math.round(rate))} per second`} />
          <Fact label="Time left" value={rate === null ? "measuring" : formatDuration((total - done) / rate)} />
        </Group>
        <ol className={classes.objects}>
          {migration.objects.map((object) => (
            <ObjectProgressRow key={object.object} progress={object} at={at} />
          ))}
        </ol>
      </Paper>
    </Stack>
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
  const running = migration.objects.find((object) => object.status === "running");
  const tenths = Math.floor(percent / 10) * 10;
  return `${tenths} percent done.${running ? ` ${objectName(running.object)} are being imported.` : ""}`;
}
