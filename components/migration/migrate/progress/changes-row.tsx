import { Text } from "@mantine/core";

import { FINISHING, OBJECT_STATUSES } from "@/components/migration/migrate/progress/object-statuses";
import { changesOf, leftBy } from "@/components/migration/history/history-words";
import classes from "@/components/migration/migrate/progress/object-progress-row.module.css";
import { paceInWords } from "@/components/migration/migrate/progress/progress";
import { useRate } from "@/components/migration/migrate/progress/use-rate";
import { formatNumber } from "@/components/ui/text/format";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

interface ChangesRowProps {
  progress: ObjectProgress;
  kind: Exclude<Migration["run_kind"], "full">;
  /** The time of the last poll. */
  at: number;
  isPaused: boolean;
}

/**
 * How far a delta or a retry has come with an object. Its outcomes go on from the runs before, so what is left is told
 * apart.
 */
export function ChangesRow({ progress, kind, at, isPaused }: ChangesRowProps) {
  const { object, status, read_in_run: read } = progress;
  const rate = useRate(read?.done ?? 0, at);
  const isHeld = status === "running" && isPaused;
  const { label, icon } = OBJECT_STATUSES[isHeld ? "paused" : status];
  const work = status === "running" && !isPaused && read !== null ? workInWords(label, read, rate) : label;
  return (
    <li className={classes.row} data-status={isHeld ? "pending" : status}>
      <div className={classes.head}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.name}>{objectName(object)}</span>
        <Text component="span" size="sm" c="dimmed">
          {work}
        </Text>
        <Text component="span" size="sm" className={classes.count}>
          {resultOf(progress, kind)}
        </Text>
      </div>
    </li>
  );
}

/** "importing, 120 per second, 2 minutes left"; "finishing" once all of it is read. */
function workInWords(label: string, { done, total }: { done: number; total: number }, rate: number | null): string {
  if (total > 0 && done >= total) return FINISHING;
  return [label, paceInWords(rate, total - done)].filter(Boolean).join(", ");
}

/** What came of it; until then how much of it is read. */
function resultOf(progress: ObjectProgress, kind: ChangesRowProps["kind"]): string {
  const { status, read_in_run: read } = progress;
  if (status === "done") return kind === "delta" ? changesOf(progress) : leftBy(progress);
  return read === null ? "" : `${formatNumber(read.done)} of ${formatNumber(read.total)}`;
}
