import { Text } from "@mantine/core";

import { OBJECT_STATUSES } from "@/components/migration/migrate/object-statuses";
import { broughtBy, leftBy } from "@/components/migration/history/history-words";
import classes from "@/components/migration/migrate/object-progress-row.module.css";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";

interface ChangesRowProps {
  progress: ObjectProgress;
  kind: Exclude<Migration["run_kind"], "full">;
}

/**
 * How far a delta or a retry has come with an object. Its counts go on from the runs before, so they say nothing of how
 * much is left.
 */
export function ChangesRow({ progress, kind }: ChangesRowProps) {
  const { label, icon } = OBJECT_STATUSES[progress.status];
  const words = kind === "delta" ? broughtBy(progress) : leftBy(progress);
  return (
    <li className={classes.row} data-status={progress.status}>
      <div className={classes.head}>
        <span className={classes.icon}>{icon}</span>
        <span className={classes.name}>{objectName(progress.object)}</span>
        <Text component="span" size="sm" c="dimmed">
          {label}
        </Text>
        <Text component="span" size="sm" className={classes.count}>
          {progress.status === "done" ? words : ""}
        </Text>
      </div>
    </li>
  );
}
