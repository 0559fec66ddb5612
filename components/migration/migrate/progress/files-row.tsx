import { Progress, Text } from "@mantine/core";

import { type CopiedFiles, filesDone, filesInWords } from "@/components/migration/migrate/file-words";
import { paceInWords } from "@/components/migration/migrate/progress/progress";
import { useRate } from "@/components/migration/migrate/progress/use-rate";
import { OBJECT_STATUSES } from "@/components/migration/migrate/progress/object-statuses";
import classes from "@/components/migration/migrate/progress/object-progress-row.module.css";
import { useReport } from "@/components/migration/use-migration";
import { formatNumber } from "@/components/ui/text/format";

interface FilesRowProps {
  migrationId: string;
  files: CopiedFiles;
  /** The time of the last poll. */
  at: number;
  isPaused: boolean;
}

/** How far the copying of files has come. Their number is known from the report, which counts all of the org. */
export function FilesRow({ migrationId, files, at, isPaused }: FilesRowProps) {
  const { data: report } = useReport(migrationId);
  const done = filesDone(files);
  const counted = report?.estimate.files?.count ?? null;
  const status = statusOf(files, isPaused);
  const pace = paceInWords(useRate(done, at), counted === null ? null : counted - done);
  const { label, icon } = OBJECT_STATUSES[status];
  return (
    <li className={classes.row} data-status={status}>
      <div className={classes.head}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.name}>Files</span>
        <Text component="span" size="sm" c="dimmed">
          {status === "running" ? ["copying", pace].filter(Boolean).join(", ") : label}
        </Text>
        <span className={classes.count}>
          {formatNumber(done)}{" "}
          {counted !== null && !files.finished && (
            <Text component="span" size="sm" c="dimmed">
              of about {formatNumber(Math.max(counted, done))}
            </Text>
          )}
        </span>
      </div>
      <Progress value={shareOf(files, counted)} size={10} radius="xl" aria-hidden />
      <Text size="xs" c="dimmed" mt={4} className={classes.outcomes}>
        {filesInWords(files)}
      </Text>
    </li>
  );
}

function statusOf({ finished }: CopiedFiles, isPaused: boolean): "done" | "paused" | "running" {
  if (finished) return "done";
  return isPaused ? "paused" : "running";
}

function shareOf(files: CopiedFiles, counted: number | null): number {
  if (files.finished) return 100;
  return counted ? Math.min(99, (filesDone(files) / counted) * 100) : 0;
}
