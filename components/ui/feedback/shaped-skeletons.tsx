import { Group, Paper, SimpleGrid, Skeleton, Stack } from "@mantine/core";

import { Announcement } from "@/components/ui/feedback/announcement";
import classes from "@/components/ui/feedback/shaped-skeletons.module.css";

interface SkeletonProps {
  /** What screen readers announce: "Loading the account". */
  label: string;
}

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** A placeholder for a table: a line of titles, and rows of the height that a table's have. */
export function TableSkeleton({ label }: SkeletonProps) {
  return (
    <Paper withBorder px={{ base: "md", sm: "xs" }} aria-busy="true">
      <Announcement>{label}</Announcement>
      {ROWS.map((row) => (
        <Group key={row} wrap="nowrap" justify="space-between" px="xs" className={classes.row}>
          <Skeleton height={14} width="26%" />
          <Skeleton height={14} width="18%" />
          <Skeleton height={14} width="12%" visibleFrom="sm" />
        </Group>
      ))}
    </Paper>
  );
}

/** A placeholder for the fields of one thing, each a small label above its value. */
export function FieldsSkeleton({ label }: SkeletonProps) {
  return (
    <Paper withBorder p="lg" aria-busy="true">
      <Announcement>{label}</Announcement>
      <div className={classes.fields}>
        {ROWS.map((row) => (
          <Stack key={row} gap={8} className={classes.field}>
            <Skeleton height={10} width="30%" />
            <Skeleton height={14} width="62%" />
          </Stack>
        ))}
      </div>
    </Paper>
  );
}

/** A placeholder for a form: labels with inputs under them, two beside each other where there is room. */
export function FormSkeleton({ label }: SkeletonProps) {
  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }} aria-busy="true">
      <Announcement>{label}</Announcement>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {ROWS.map((row) => (
          <Stack key={row} gap={6}>
            <Skeleton height={14} width="24%" />
            <Skeleton height={36} />
          </Stack>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
