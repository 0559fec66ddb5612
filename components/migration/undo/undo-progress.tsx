import { Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheck } from "@tabler/icons-react";

import classes from "@/components/migration/migrate/progress/object-progress-row.module.css";
import progressClasses from "@/components/migration/migrate/progress/run-progress.module.css";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatNumber } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

type Line = NonNullable<Migration["undo"]>["resources"][number];

const doneOf = ({ deleted, restored, kept }: Line) => deleted + restored + kept;

const totalOf = (line: Line) => Math.max(line.expected ?? 0, doneOf(line));

/** How far an undo has come with the records of each kind. */
export function UndoProgress({ migration }: { migration: Migration }) {
  const lines = (migration.undo?.resources ?? []).filter((line) => line.expected === null || totalOf(line) > 0);
  const [done, total] = [doneOf, totalOf].map((of) => lines.reduce((sum, line) => sum + of(line), 0));
  const percent = total ? Math.floor(((done ?? 0) / total) * 100) : 0;
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Announcement>{Math.floor(percent / 10) * 10} percent of the records are undone.</Announcement>
      <Group justify="space-between" align="flex-end" gap="md">
        <div>
          <Title order={2}>The migration is being undone</Title>
          <Text c="dimmed" size="sm" mt={4}>
            You can close this page; the undo goes on, and you find it here again.
          </Text>
        </div>
        <Text className={progressClasses.percent} aria-hidden="true">
          {percent} %
        </Text>
      </Group>
      <ol className={progressClasses.objects}>
        {lines.map((line) => (
          <UndoRow key={line.resource} line={line} />
        ))}
      </ol>
    </Paper>
  );
}

function UndoRow({ line }: { line: Line }) {
  const [done, total] = [doneOf(line), totalOf(line)];
  return (
    <li className={classes.row} data-status={line.done ? "done" : "pending"}>
      <div className={classes.head}>
        <span className={classes.icon}>
          {line.done ? <IconCircleCheck size={18} aria-hidden /> : <IconCircle size={18} aria-hidden />}
        </span>
        <span className={classes.name}>{RECORD_NAMES[line.resource].plural}</span>
        <Text component="span" size="sm" c="dimmed">
          {line.done ? "done" : "waiting or at work"}
        </Text>
        <span className={classes.count}>
          {formatNumber(done)}{" "}
          <Text component="span" size="sm" c="dimmed">
            of {line.expected === null ? "?" : formatNumber(total)}
          </Text>
        </span>
      </div>
      <Stack gap={4}>
        <Progress value={total === 0 ? 0 : (done / total) * 100} size={10} radius="xl" aria-hidden />
        <Text size="xs" c="dimmed">
          {formatNumber(line.deleted)} deleted, {formatNumber(line.restored)} restored, {formatNumber(line.kept)} kept
        </Text>
      </Stack>
    </li>
  );
}
