import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { type DeletedRow, keyOf } from "@/components/records/deleted/deleted-columns";
import classes from "@/components/records/deleted/restore-selected.module.css";
import { type Failure, restoreMany } from "@/components/records/list/bulk/change-many";
import { FailureList } from "@/components/records/list/bulk/failure-list";
import type { Selection } from "@/components/records/list/use-selection";
import { shownName } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import { Announcement } from "@/components/ui/feedback/announcement";
import { once } from "@/components/ui/form/once";
import { useLeaveWarning } from "@/components/ui/leave/use-leave-warning";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import { RESOURCES } from "@/lib/records/schema/resources";

interface RestoreSelectedProps {
  rows: readonly DeletedRow[];
  selection: Selection;
}

/** Restores the selected rows, says how far it is, and which were not restored. */
export function RestoreSelected({ rows, selection }: RestoreSelectedProps) {
  const selected = rows.filter((row) => selection.ids.has(keyOf(row)));
  const { restore, done, asked } = useRestoreSelected(selection.clear);
  const failures = restore.data ?? [];
  const words = restore.isPending
    ? `Restoring ${formatNumber(done)} of ${formatNumber(asked)}`
    : `${formatNumber(selected.length)} selected`;
  const isShown = restore.isPending || selected.length > 0;
  return (
    <>
      {failures.length > 0 && (
        <FailureList
          title={formatCount(failures.length, "record was not restored", "records were not restored")}
          failures={failures}
        />
      )}
      <Announcement>{!restore.isPending && selected.length > 0 && words}</Announcement>
      {isShown && (
        <Paper withBorder shadow="md" px="sm" py={6} className={classes.bar}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {words}
            </Text>
            {selected.length < rows.length && (
              <Button
                size="compact-sm"
                variant="subtle"
                disabled={restore.isPending}
                onClick={() => selection.selectAll()}
              >
                Select all {formatNumber(rows.length)} loaded
              </Button>
            )}
            <Button size="compact-sm" loading={restore.isPending} onClick={once(() => restore.mutate(selected))}>
              Restore
            </Button>
            <CloseButton
              size="sm"
              aria-label="Clear the selection"
              disabled={restore.isPending}
              onClick={selection.clear}
            />
          </Group>
        </Paper>
      )}
    </>
  );
}

function useRestoreSelected(onDone: () => void) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const restore = useMutation({
    mutationFn: (rows: readonly DeletedRow[]) => {
      setDone(0);
      return restoreAll(rows, (count) => setDone((before) => before + count));
    },
    onSuccess: (failures, rows) => {
      const count = rows.length - failures.length;
      if (count > 0) notifications.show({ message: `${formatCount(count, "record")} restored` });
      onDone();
      void recordsChanged(queries);
      void queries.invalidateQueries({ queryKey: ["record"] });
    },
  });
  useLeaveWarning(restore.isPending);
  return { restore, done, asked: restore.variables?.length ?? 0 };
}

/** Kind after kind: a comment can only be restored once its case is there. */
export async function restoreAll(rows: readonly DeletedRow[], onProgress: (count: number) => void): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const resource of RESOURCES) {
    const those = rows.filter(({ object }) => object === resource);
    const targets = those.map(({ id, name }) => ({ id, name: shownName(name) }));
    failures.push(...(await restoreMany(resource, targets, onProgress)));
  }
  return failures;
}
