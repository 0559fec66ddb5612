import { Paper, Skeleton, Stack } from "@mantine/core";

import { Announcement } from "@/components/ui/feedback/announcement";

const WIDTHS = ["62%", "48%", "70%", "55%", "66%", "44%", "58%", "51%"];

/** A placeholder for a list that is loading. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <Paper withBorder p="lg" aria-busy="true">
      <Announcement>{label}</Announcement>
      <Stack gap="lg">
        {WIDTHS.map((width) => (
          <Skeleton key={width} height={14} width={width} />
        ))}
      </Stack>
    </Paper>
  );
}
