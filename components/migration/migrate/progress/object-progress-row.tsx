import { Progress, Text } from "@mantine/core";

import { formatNumber } from "@/components/ui/text/format";
import classes from "@/components/migration/migrate/progress/object-progress-row.module.css";
import { doneOf, paceInWords, toRead, totalInWords, totalOf } from "@/components/migration/migrate/progress/progress";
import { FINISHING, OBJECT_STATUSES } from "@/components/migration/migrate/progress/object-statuses";
import { useRate } from "@/components/migration/migrate/progress/use-rate";
import type { ObjectProgress } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

/** The outcomes of a record, in the order of the sections of the bar. */
const OUTCOMES = [
  { key: "created", color: "pine.6" },
  { key: "updated", color: "sky.5" },
  { key: "unchanged", color: "pine.3" },
  { key: "skipped", color: "amber.4" },
  { key: "failed", color: "rust.5" },
] as const;

interface ObjectProgressRowProps {
  progress: ObjectProgress;
  /** How many records of an object the analysis has counted; null if it could not. */
  analyzed: (object: ObjectProgress["object"]) => number | null;
  /** The time of the last poll. */
  at: number;
  isPaused: boolean;
}

/** The progress of one object: the outcomes so far as a bar and as numbers, the speed, and the time left. */
export function ObjectProgressRow({ progress, analyzed, at, isPaused }: ObjectProgressRowProps) {
  const done = doneOf(progress);
  const total = totalOf(progress);
  const rate = useRate(done, at);
  const name = objectName(progress.object);
  const isHeld = isPaused && progress.status === "running";
  const { label, icon } = OBJECT_STATUSES[isHeld ? "paused" : progress.status];
  const isFinishing = progress.status === "running" && !isPaused && total > 0 && done === total;
  return (
    <li className={classes.row} data-status={isHeld ? "pending" : progress.status}>
      <div className={classes.head}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.name}>{name}</span>
        <Text component="span" size="sm" c="dimmed">
          {isFinishing
            ? FINISHING
            : [label, progress.status === "running" && !isPaused && paceInWords(rate, total - done)]
                .filter(Boolean)
                .join(", ")}
        </Text>
        <span className={classes.count}>
          {formatNumber(done)}{" "}
          <Text component="span" size="sm" c="dimmed">
            {totalInWords(toRead([progress], analyzed))}
          </Text>
        </span>
      </div>
      <Progress.Root size={10} radius="xl" aria-hidden>
        {OUTCOMES.map(({ key, color }) => (
          <Progress.Section
            key={key}
            value={total === 0 ? 0 : (progress[key] / total) * 100}
            color={color}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={4} className={classes.outcomes}>
        {outcomesOf(progress)}
      </Text>
    </li>
  );
}

function outcomesOf(progress: ObjectProgress): string {
  const parts = OUTCOMES.filter(({ key }) => progress[key] > 0).map(
    ({ key }) => `${formatNumber(progress[key])} ${key}`,
  );
  return parts.join(", ") || (progress.status === "done" ? "There are none." : "\u00a0");
}
