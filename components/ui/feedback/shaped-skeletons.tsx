import { Group, SimpleGrid, Skeleton, Stack } from "@mantine/core";

import classes from "@/components/ui/feedback/shaped-skeletons.module.css";
import { SkeletonPaper, type SkeletonProps } from "@/components/ui/feedback/skeleton-paper";

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** A placeholder for a table: a line of titles, and rows of the height that a table's have. */
export function TableSkeleton({ label }: SkeletonProps) {
  return (
    <SkeletonPaper label={label} px={{ base: "md", sm: "xs" }}>
      {ROWS.map((row) => (
        <Group key={row} wrap="nowrap" justify="space-between" px="xs" className={classes.row}>
          <Skeleton height={14} width="26%" />
          <Skeleton height={14} width="18%" />
          <Skeleton height={14} width="12%" visibleFrom="sm" />
        </Group>
      ))}
    </SkeletonPaper>
  );
}

/** A placeholder for the fields of one thing, each a small label above its value. */
export function FieldsSkeleton({ label }: SkeletonProps) {
  return (
    <SkeletonPaper label={label} p="lg">
      <div className={classes.fields}>
        {ROWS.map((row) => (
          <Stack key={row} gap={8} className={classes.field}>
            <Skeleton height={10} width="30%" />
            <Skeleton height={14} width="62%" />
          </Stack>
        ))}
      </div>
    </SkeletonPaper>
  );
}

/** A placeholder for a form: labels with inputs under them, two beside each other where there is room. */
export function FormSkeleton({ label }: SkeletonProps) {
  return (
    <SkeletonPaper label={label} p={{ base: "md", sm: "xl" }}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {ROWS.map((row) => (
          <Stack key={row} gap={6}>
            <Skeleton height={14} width="24%" />
            <Skeleton height={36} />
          </Stack>
        ))}
      </SimpleGrid>
    </SkeletonPaper>
  );
}
