import { Paper, Stack } from "@mantine/core";

import { LoadMore, type LoadMoreProps } from "@/components/ui/layout/load-more";
import { StackTable, type StackTableProps } from "@/components/ui/layout/stack-table";

/** The loaded rows of a list, and a button for more. */
export function PagedTable<Row>({ query, end, ...table }: LoadMoreProps & StackTableProps<Row>) {
  return (
    <Stack>
      <Paper withBorder px={{ base: "md", sm: "xs" }}>
        <StackTable {...table} />
      </Paper>
      <LoadMore query={query} end={end} />
    </Stack>
  );
}
