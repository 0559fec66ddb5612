import { Skeleton, Stack } from "@mantine/core";

import { SkeletonPaper, type SkeletonProps } from "@/components/ui/feedback/skeleton-paper";

const WIDTHS = ["62%", "48%", "70%", "55%", "66%", "44%", "58%", "51%"];

/** A placeholder for a list that is loading. */
export function RowsSkeleton({ label }: SkeletonProps) {
  return (
    <SkeletonPaper label={label} p="lg">
      <Stack gap="lg">
        {WIDTHS.map((width) => (
          <Skeleton key={width} height={14} width={width} />
        ))}
      </Stack>
    </SkeletonPaper>
  );
}
