import { Button, Center } from "@mantine/core";
import type { ReactNode } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";

export interface LoadMoreProps {
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

/** The way to the next page of a list, below the rows that are there. */
export function LoadMore({ query, end }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
  return (
    <>
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
    </>
  );
}
