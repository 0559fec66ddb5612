import { Button, Center, Paper, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { ProblemAlert } from "@/components/feedback/problem-alert";
import { StackTable, type StackTableProps } from "@/components/layout/stack-table";

interface PagedTableProps<Row> extends StackTableProps<Row> {
  /** The infinite query that the rows come from. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
  /** Said below the last row, where there are no more. */
  end?: ReactNode;
}

/** The rows that are there, and a button for more. */
export function PagedTable<Row>({ query, end, ...table }: PagedTableProps<Row>) {
  const more = () => void query.fetchNextPage();
  return (
    <Stack>
      <Paper withBorder px={{ base: "md", sm: "xs" }}>
        <StackTable {...table} />
      </Paper>
      {query.isFetchNextPageError && <ProblemAlert error={query.error} onRetry={more} />}
      {query.hasNextPage ? (
        <Center>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={more}>
            Load more
          </Button>
        </Center>
      ) : (
        end && <Center>{end}</Center>
      )}
    </Stack>
  );
}
